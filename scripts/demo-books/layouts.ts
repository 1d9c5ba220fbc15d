import { article, escapeHtml, heading, list, paragraph, section } from './html.ts'
import type { Topic, Words } from './texts.ts'

/** The full marks of an examination. */
const FULL_MARKS = 20

export type Language = Topic['language']
type Question = Topic['series'][number][number]

/** A topic with the series of its questions that a document uses. */
export interface Chapter {
  readonly heading: string
  readonly points: readonly string[]
  readonly questions: readonly Question[]
}

type Layout = (chapters: readonly Chapter[], words: Words, language: Language) => string

/** Composes a document's content after its cover, by the code of its category. */
export const LAYOUTS: Readonly<Record<string, Layout>> = {
  lessons: (chapters, words, language) => {
    const questions = chapters.flatMap((chapter) => chapter.questions)
    return [
      section(...chapters.map((chapter) => lesson(chapter, words))),
      section(heading(words.exercises), exercises(questions, { words, language, lines: 2 })),
      section(heading(words.answers), answers(questions, { words, language })),
    ].join('\n')
  },
  exercises: (chapters, words, language) => {
    const questions = chapters.flatMap((chapter) => chapter.questions)
    return [
      section(
        heading(words.reminder),
        list(chapters.flatMap(({ points }) => points.slice(0, 3))),
        paragraph(words.howToWork),
        heading(words.exercises),
        exercises(questions, { words, language, lines: 4 }),
      ),
      section(heading(words.answers), answers(questions, { words, language })),
    ].join('\n')
  },
  exams: (chapters, words, language) => {
    const questions = chapters.flatMap((chapter) => chapter.questions).slice(0, 8)
    const marks = shareMarks(questions.length)
    return [
      section(
        heading(chapters.map((chapter) => chapter.heading).join(' / ')),
        paragraph(words.examRules),
        heading(words.exercises),
        exercises(questions, { words, language, lines: 4, marks }),
      ),
      section(heading(words.answers), answers(questions, { words, language, marks })),
    ].join('\n')
  },
  summaries: (chapters, words, language) => {
    const questions = chapters.flatMap((chapter) => chapter.questions)
    return [
      section(...chapters.map((chapter) => lesson(chapter, words))),
      section(heading(words.testYourself), exercises(questions, { words, language, lines: 1 })),
      section(heading(words.answers), answers(questions, { words, language })),
    ].join('\n')
  },
  books: (chapters, words, language) => {
    const shortened = chapters.map((chapter) => chapter.questions.slice(0, 6))
    return [
      section(
        heading(words.contents),
        list(chapters.map((chapter) => chapter.heading)),
        paragraph(words.howToWork),
      ),
      ...chapters.map((chapter, at) =>
        section(
          lesson(chapter, words),
          heading(words.exercises),
          exercises(shortened[at] ?? [], { words, language, lines: 1 }),
        ),
      ),
      section(heading(words.answers), answers(shortened.flat(), { words, language })),
    ].join('\n')
  },
}

interface Printing {
  words: Words
  language: Language
  /** The marks of each exercise. */
  marks?: readonly number[]
}

function exercises(questions: readonly Question[], how: Printing & { lines: number }): string {
  const line = '<hr>'.repeat(how.lines)
  return questions
    .map(({ ask }, at) => numbered(at, ask, how) + line)
    .map(article)
    .join('\n')
}

function answers(questions: readonly Question[], how: Printing): string {
  return questions
    .map(({ answer }, at) => numbered(at, answer, how))
    .map(article)
    .join('\n')
}

function numbered(at: number, text: string, { words, language, marks }: Printing): string {
  const given = marks?.[at]
  const form = new Intl.PluralRules(language).select(given ?? 0)
  const points = words.marks[form] ?? words.marks.other ?? ''
  const label = words.exercise.replace('{{number}}', `${at + 1}`)
  const suffix = given ? ` (${points.replace('{{marks}}', `${given}`)})` : ''
  return `<h3>${escapeHtml(label + suffix)}</h3>${paragraph(text)}`
}

function lesson({ heading: title, points }: Chapter, words: Words): string {
  return [heading(title), paragraph(words.toKnow), list(points)].join('\n')
}

/** Whole marks that sum to 20, larger ones first. */
function shareMarks(count: number): number[] {
  return Array.from(
    { length: count },
    (_, at) => Math.floor(FULL_MARKS / count) + (at < FULL_MARKS % count ? 1 : 0),
  )
}
