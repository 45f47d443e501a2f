// Templates of texts. No DOM.

/**
 * A text with its fields.
 * @param {string} template such as "source: {language}"
 * @param {Record<string, string | number>} fields
 */
export function say(template, fields) {
  return template.replaceAll(/\{(\w+)\}/gu, (whole, name) => (Object.hasOwn(fields, name) ? String(fields[name]) : whole));
}

/** Name of a language in the language of the texts; "" for none. @param {object} texts @param {string | null} code */
export function languageName({ LOCALE }, code) {
  return code ? new Intl.DisplayNames([LOCALE], { type: "language" }).of(code) : "";
}
