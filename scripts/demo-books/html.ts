/** A part that starts on a new page. */
export const section = (...parts: string[]) => `<section>\n${parts.join('\n')}\n</section>`
export const article = (inner: string) => `<article>${inner}</article>`
export const heading = (text: string) => `<h2>${prose(text)}</h2>`
export const paragraph = (text: string) => `<p>${prose(text)}</p>`
export const list = (items: readonly string[]) =>
  `<ul>\n${items.map((item) => `<li>${prose(item)}</li>`).join('\n')}\n</ul>`

/** Escapes text; the parts between backticks become formulas, left to right and on one line. */
export function prose(text: string): string {
  return escapeHtml(text)
    .replace(/« /g, '«\u00a0')
    .replace(/ (?=[»:;?!])/g, '\u00a0')
    .replace(/`([^`]*)`/g, '<bdi dir="ltr">$1</bdi>')
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}
