import { expect, test } from 'vitest'
import { read, sourceFiles } from './source.ts'

// Documents, comments and the titles of tests are written as a native engineer writes them. These are
// the turns of phrase that a machine can find.

interface Rule {
  readonly name: string
  /** Matches what is wrong. */
  readonly wrong: RegExp
  readonly bad: string
  readonly good: string
}

const RULES: readonly Rule[] = [
  {
    name: 'a person is named, not “whoever”',
    wrong: /\bwhoever\b/i,
    bad: 'Refuses whoever has most.',
    good: 'Refuses the account with most.',
  },
  {
    name: 'no sentence has a bare “who” as its subject',
    wrong: /(?:^|[.;:] )Who (?![^.]*\?)|\b(?:by|for|from|of|only|such as|than|to) who\b/,
    bad: 'Who sends much waits for it.',
    good: 'A client that sends much waits for it. Who is a buyer?',
  },
  {
    name: 'the present is “current”, the past “previous”',
    wrong: /\bof (?:now|before)\b/,
    bad: 'the prices of now',
    good: 'the current prices',
  },
  {
    name: 'an exception is “except”',
    wrong: /\bbut for\b/,
    bad: 'all but for the count',
    good: 'all except the count',
  },
  {
    name: 'an agent is no “asked for by”',
    wrong: /\basked for by\b/,
    bad: 'asked for by a test',
    good: 'checked by a test',
  },
  {
    name: 'things are somewhere; they do not stand there',
    wrong:
      /(?<!as it |clock )\bstands?\b(?!-in| for| still| in (?:for|(?:the )?place)| to | behind)/,
    bad: 'It stands in the table.',
    good: 'It is in the table; a stand-in stands for it.',
  },
]

/** Comments say what something is, or what happens: they do not begin in mid-sentence. */
const BEGINNINGS: Rule = {
  name: 'no comment begins with “Of the” or “That a”',
  wrong: /^(?:Of|That) (?:a|all|an|each|its|it|no|nobody|one|the|these|those|two|what)\b/,
  bad: 'Of a case, that there was one stays.',
  good: 'A case leaves its existence behind.',
}

interface Prose {
  readonly file: string
  readonly text: string
}

/** The comments of the code, each in one line without its marks. */
const comments: readonly Prose[] = sourceFiles(
  /^(?:(?:src|tests|scripts)\/.*|[^/]+)\.(?:tsx?|astro|css|mjs)$/,
)
  .filter((file) => !file.endsWith('/english.test.ts'))
  .flatMap((file) =>
    (read(file).match(/^\s*\{?\/\*[\s\S]*?\*\/|^\s*\/\/ .*(?:\n\s*\/\/ .*)*/gm) ?? []).map(
      (text) => ({
        file,
        text: text
          .replace(/^\s*(?:\{?\/\*+|\*+\/?|\/\/)/gm, ' ')
          .replace(/\*\/$/, '')
          .replace(/\s+/g, ' ')
          .trim(),
      }),
    ),
  )

/** The paragraphs and rows of the documents, without code. */
const paragraphs: readonly Prose[] = sourceFiles(/^(?:[A-Z]+|docs\/.*)\.md$/).flatMap((file) =>
  read(file)
    .replace(/^```.*?^```/gms, '')
    .split(/\n\n|\n(?=[|-])/)
    .map((text) => ({ file, text: text.replace(/\s+/g, ' ').trim() })),
)

const titles: readonly Prose[] = sourceFiles(/^tests\/.*\.test\.tsx?$/).flatMap((file) =>
  [...read(file).matchAll(/^\s*(?:test|describe)\b[^'\n]*'([^'\n]+)'/gm)].map(([, text = '']) => ({
    file,
    text,
  })),
)

test.each([...RULES, BEGINNINGS])('$name', (rule) => {
  const { wrong, bad, good } = rule
  expect(bad).toMatch(wrong)
  expect(good).not.toMatch(wrong)
  const prose = rule === BEGINNINGS ? comments : [...comments, ...titles, ...paragraphs]
  expect(prose.length).toBeGreaterThan(1000)
  const found = prose.filter(({ text }) => wrong.test(text))
  expect(found.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
})
