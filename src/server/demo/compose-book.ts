import { TOPICS } from './content/index.ts'
import type { Language, Question, Topic } from './content/topic.ts'
import type { DemoDocument } from './documents/demo-document.ts'
import type { Block, Book } from './pdf/book.ts'
import { DEMO_TEACHERS } from './people.ts'
import { PRINTED } from './printed-words.ts'
import { type Random, randomFrom } from './random.ts'
import { CATEGORIES, type CategoryCode, entryOf, MATIERES, NIVEAUX } from './taxonomy.ts'

/** The most points that an examination gives. */
const FULL_MARKS = 20

/** The book of a demo document, always the same for the same `number`. */
export function composeBook(document: DemoDocument, number: number): Book {
  const random = randomFrom(number * 7919)
  const topics = document.topics.map((name) => TOPICS[name](random))
  const language = topics[0]?.language ?? 'ar'
  const words = PRINTED[language]
  const matiere = entryOf(MATIERES, document.subject)
  const niveau = entryOf(NIVEAUX, document.niveau)
  const teacher = DEMO_TEACHERS[document.teacher - 1]
  return {
    direction: language === 'ar' ? 'rtl' : 'ltr',
    title: document.title,
    subject: language === 'ar' ? matiere.name : words.subjects[document.subject],
    className: language === 'ar' ? niveau.name : niveau.french,
    category:
      language === 'ar'
        ? entryOf(CATEGORIES, document.category).name
        : words.categories[document.category],
    teacher: `${teacher?.firstName} ${teacher?.lastName}`,
    footer: words.shop,
    color: matiere.color,
    blocks: LAYOUTS[document.category](topics, language, random),
  }
}

type Layout = (topics: readonly Topic[], language: Language, random: Random) => Block[]

const PAGE_BREAK: Block = { kind: 'page-break' }

const LAYOUTS: Record<CategoryCode, Layout> = {
  lessons: (topics, language) => [
    ...topics.flatMap((topic) => lesson(topic, language)),
    PAGE_BREAK,
    ...exercises(questionsOf(topics), language, 2),
    PAGE_BREAK,
    ...answers(questionsOf(topics), language),
  ],
  exercises: (topics, language) => [
    { kind: 'heading', text: PRINTED[language].reminder },
    { kind: 'points', items: topics.flatMap(({ points }) => points.slice(0, 3)) },
    { kind: 'text', text: PRINTED[language].howToWork },
    ...exercises(questionsOf(topics), language, 4),
    PAGE_BREAK,
    ...answers(questionsOf(topics), language),
  ],
  exams: (topics, language) => {
    const questions = questionsOf(topics).slice(0, 8)
    const marks = shareMarks(questions.length)
    return [
      { kind: 'heading', text: topics.map(({ heading }) => heading).join(' / ') },
      { kind: 'text', text: PRINTED[language].examRules },
      ...exercises(questions, language, 4, marks),
      PAGE_BREAK,
      ...answers(questions, language, marks),
    ]
  },
  summaries: (topics, language) => [
    ...topics.flatMap((topic) => lesson(topic, language)),
    PAGE_BREAK,
    { kind: 'heading', text: PRINTED[language].testYourself },
    ...exercises(questionsOf(topics), language, 1).slice(1),
    PAGE_BREAK,
    ...answers(questionsOf(topics), language),
  ],
  books: (topics, language) => [
    { kind: 'heading', text: PRINTED[language].contents },
    { kind: 'points', items: topics.map(({ heading }) => heading) },
    { kind: 'text', text: PRINTED[language].howToWork },
    ...topics.flatMap((topic) => [
      PAGE_BREAK,
      ...lesson(topic, language),
      ...exercises(topic.questions.slice(0, 6), language, 1),
    ]),
    PAGE_BREAK,
    ...answers(
      topics.flatMap(({ questions }) => questions.slice(0, 6)),
      language,
    ),
  ],
}

function questionsOf(topics: readonly Topic[]): Question[] {
  return topics.flatMap(({ questions }) => questions)
}

function lesson(topic: Topic, language: Language): Block[] {
  return [
    { kind: 'heading', text: topic.heading },
    { kind: 'text', text: PRINTED[language].toKnow },
    { kind: 'points', items: topic.points },
  ]
}

function exercises(
  questions: readonly Question[],
  language: Language,
  answerLines: number,
  marks: readonly number[] = [],
): Block[] {
  const words = PRINTED[language]
  return [
    { kind: 'heading', text: words.exercises },
    ...questions.map(
      ({ ask }, at): Block => ({
        kind: 'exercise',
        label: words.exercise(at + 1, marks[at]),
        text: ask,
        answerLines,
      }),
    ),
  ]
}

function answers(
  questions: readonly Question[],
  language: Language,
  marks: readonly number[] = [],
): Block[] {
  const words = PRINTED[language]
  return [
    { kind: 'heading', text: words.answers },
    ...questions.map(
      ({ answer }, at): Block => ({
        kind: 'exercise',
        label: words.exercise(at + 1, marks[at]),
        text: answer,
        answerLines: 0,
      }),
    ),
  ]
}

/** Whole marks that sum to 20, the first ones the greater. */
function shareMarks(count: number): number[] {
  return Array.from(
    { length: count },
    (_, at) => Math.floor(FULL_MARKS / count) + (at < FULL_MARKS % count ? 1 : 0),
  )
}
