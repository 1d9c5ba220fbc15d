import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { figure, goalOf, type Row, verdict } from './part.ts'

/** The rows of one part, and the conditions under which they were measured. */
export interface Findings {
  readonly part: string
  /** What the part measures, and how. */
  readonly about: string
  /** Date, machine, commit and duration. */
  readonly conditions: string
  readonly rows: readonly Row[]
}

const HEADING = `# What the shop weighs and how fast it is

Written by \`npm run bench\`; each part says when, on which machine and how it was measured. Figures beside
"×" are ratios to a limit measured in the same run, which a slow or busy machine changes less than seconds.
`

/** Writes a part's findings into the file in place of its earlier ones, the parts in the given order. */
export function writeResults(file: string, findings: Findings, order: readonly string[]): void {
  const sections = existsSync(file) ? sectionsOf(readFileSync(file, 'utf8')) : new Map()
  sections.set(findings.part, sectionOf(findings))
  const known = order.filter((part) => sections.has(part))
  const text = [HEADING, ...known.map((part) => `## ${part}\n\n${sections.get(part)}\n`)].join('\n')
  writeFileSync(file, text)
}

/** The text of each part in the file, by its name. */
function sectionsOf(text: string): Map<string, string> {
  return new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [name = '', ...lines] = section.split('\n')
        return [name.trim(), lines.join('\n').trim()]
      }),
  )
}

function sectionOf({ about, conditions, rows }: Findings): string {
  const lines = rows.map((row) =>
    [row.id, row.what, goalOf(row), figure(row.value, row.unit), verdict(row), row.note ?? '']
      .map((cell) => cell.replaceAll('|', '\\|'))
      .join(' | '),
  )
  return [
    about,
    '',
    conditions,
    '',
    '| | what | goal | measured | | |',
    '|---|---|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n')
}

/** Prints findings as a table. */
export function printFindings({ part, conditions, rows }: Findings): void {
  console.log(`\n${part}: ${conditions}`)
  console.table(
    rows.map((row) => ({
      id: row.id,
      what: row.what,
      goal: goalOf(row),
      measured: figure(row.value, row.unit),
      verdict: verdict(row),
      note: row.note ?? '',
    })),
  )
}
