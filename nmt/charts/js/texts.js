// Templates of texts, which a host hands over (nmt/texts). No DOM.

/**
 * A text with its fields. After a quotation that ends in a full stop there is no other one.
 * @param {string} template such as "source: {language}"
 * @param {Record<string, string | number>} fields
 */
export function say(template, fields) {
  const text = template.replaceAll(/\{(\w+)\}/gu, (whole, name) => (Object.hasOwn(fields, name) ? String(fields[name]) : whole));
  return text.replaceAll(/([.!?。！？…][”"’」』»])[.。]/gu, "$1");
}

/** A text for a number. @param {[string, string]} forms singular and plural @param {number} number @param {object} fields */
export function counted(forms, number, fields) {
  return say(forms[number === 1 ? 0 : 1], fields);
}

/** Name of a language in the language of the texts; "" for none. @param {object} texts @param {string | null} code */
export function languageName({ locale }, code) {
  return code ? new Intl.DisplayNames([locale], { type: "language" }).of(code) : "";
}
