import type { Random } from '../random.ts'

export type Language = 'ar' | 'fr' | 'en'

/** A lesson in a few sentences, with questions and their answers. */
export interface Topic {
  readonly language: Language
  readonly heading: string
  readonly points: readonly string[]
  readonly questions: readonly Question[]
}

export interface Question {
  readonly ask: string
  readonly answer: string
}

/** Makes a topic; exercises with numbers take them from `random`. */
export type TopicMaker = (random: Random) => Topic

/** A topic whose questions are always the same. */
export function fixed(topic: Topic): TopicMaker {
  return () => topic
}

/** `make` called so often, each question once. */
export function several(count: number, make: () => Question): Question[] {
  const made = new Map<string, Question>()
  for (let tries = 0; made.size < count && tries < count * 20; tries++) {
    const question = make()
    made.set(question.ask, question)
  }
  return [...made.values()]
}
