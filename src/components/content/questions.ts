/** A question and its answer as HTML. */
export interface Question {
  id: string
  question: string
  answer: string
}

const HEADING = /<h2(?: id="([^"]*)")?[^>]*>(.*?)<\/h2>/gs

/** Reads a text whose second-level headings are questions; what stands before the first is left out. */
export function questionsOf(html: string): Question[] {
  const headings = [...html.matchAll(HEADING)]
  return headings.map((heading, at) => ({
    id: `q${at + 1}`,
    question: plain(heading[2] ?? ''),
    answer: html.slice(heading.index + heading[0].length, headings[at + 1]?.index).trim(),
  }))
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(x?)([\da-f]+);/gi, (_, hex: string, code: string) =>
      String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)),
    )
    .replace(/&(\w+);/g, (whole, name: string) => NAMED[name] ?? whole)
    .trim()
}
