"""Every format of a table."""

from nmt.tables.table import Table, tables_text


def test_every_format_to_the_last_sign() -> None:
    tables = [
        Table(title="Été", head=["", "BLEU"], rows=[["=a|b", "–"]], data=[{"name": "=é", "bleu": -0.5}]),
        Table(title="b", head=["x", "y", "z"], rows=[["[c]", "d", "1"]], left=2),
    ]
    assert tables_text(tables, "csv") == "\ufeffname,bleu\r\n'=é,-0.5\r\n\r\nx,y,z\r\n[c],d,1\r\n"
    assert tables_text(tables, "md") == (
        "**Été**\n\n|  | BLEU |\n| --- | ---: |\n| =a\\|b | – |\n\n"
        "**b**\n\n| x | y | z |\n| --- | --- | ---: |\n| [c] | d | 1 |\n"
    )
    assert tables_text(tables, "json") == (
        '{\n "format": 1,\n "tables": [\n'
        '  {\n   "title": "Été",\n   "records": [\n    {\n     "name": "=é",\n     "bleu": -0.5\n    }\n   ]\n  },\n'
        '  {\n   "title": "b",\n   "records": [\n    {\n     "x": "[c]",\n     "y": "d",\n     "z": "1"\n    }\n'
        "   ]\n  }\n ]\n}\n"
    )
    begin, *floats = tables_text(tables, "tex").split("\n\n")
    assert begin.startswith(r"% \usepackage{booktabs}")
    assert floats[1].splitlines() == [
        *(r"\begin{table}", r"\centering", r"\caption{b}", r"\begin{tabular}{llr}", r"\toprule"),
        *(r"x & y & z \\", r"\midrule", r"{}[c] & d & 1 \\", r"\bottomrule", r"\end{tabular}", r"\end{table}"),
    ]
