import { sql } from 'kysely'
import { previewText } from '../../rules/preview-text.ts'
import { ANSWER_MAX_LENGTH, HIDING_REASON_MAX_LENGTH, RATING_MAX } from '../../rules/rating.ts'
import type { Deps } from '../deps.ts'
import {
  AWAITS_ANSWER,
  answerRating,
  checkRatings,
  type RatingRow,
  ratingState,
  readRatings,
  removeAnswer,
  setHidden,
  subjectOf,
} from '../ratings/ratings.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import {
  type Command,
  EXIT,
  type Outcome,
  readChoice,
  readId,
  readText,
  refusal,
  wrongUsage,
} from './command.ts'
import { moment, personOf, table } from './print.ts'

const KINDS = ['document', 'teacher'] as const

/** How much of a comment a line of the list shows, in characters. */
const COMMENT_SHOWN = 60

export const ratingCommands: readonly Command[] = [
  {
    name: 'ratings',
    usage: '[document|teacher]',
    summary: 'Lists the newest ratings, of both kinds or one, including hidden and waiting ones.',
    details: [
      'counts: by a verified buyer, part of the average.  shown: public, but not part of it.',
      'waits: its author has not confirmed the e-mail address.  hidden: by staff.',
      'Only its author sees a rating that waits or is hidden.',
    ],
    options: {
      unanswered: { type: 'boolean', about: 'only those that the teacher has not answered' },
    },
    async run({ database }, { args: [typed], options: { unanswered } }) {
      const kind = readChoice('What is rated', typed, KINDS)
      const ofKind = kind === undefined ? sql`true` : sql`r.${sql.ref(`${kind}_id`)} IS NOT NULL`
      const ratings = unanswered
        ? await readRatings(database.kysely, undefined, sql`${ofKind} AND ${AWAITS_ANSWER}`)
        : await readRatings(database.kysely, 'staff', ofKind)
      const lines = table('There are no such ratings.', ratings, {
        rating: ({ id }) => id,
        stars: ({ stars }) => stars,
        state: ratingState,
        of: subjectName,
        since: ({ createdAt }) => moment(createdAt),
        'author and comment': (rating) =>
          `${personOf(rating)}: ${previewText(rating.comment.replace(/\s+/g, ' '), COMMENT_SHOWN)}`,
      })
      return { lines, json: ratings.map(present) }
    },
  },
  {
    name: 'rating',
    usage: '<rating> [hide|unhide]',
    summary: 'Shows a whole rating; hides it from all but its author, or shows it to all again.',
    details: [
      'A hidden rating counts in no average. Its author reads the reason; it stays hidden however',
      'they change it.',
    ],
    options: { reason: { type: 'string', about: 'why it is hidden; its author reads it' } },
    async run(deps, { args, options: { reason } }) {
      const id = readId(args[0], 'rating')
      const rating = await act(deps, id, args[1], reason)
      if (!rating) throw refusal(`There is no rating ${id}.`)
      return shown(rating)
    },
  },
  {
    name: 'ratings answer',
    usage: '<rating> <text>',
    summary: 'Answers a rating in the teacher’s place, or changes the answer.',
    details: ['The answer is public below the rating, as the teacher’s.'],
    async run(deps, { args: [typed, text = ''] }) {
      const id = readId(typed, 'rating')
      const answer = text.trim()
      if (answer === '' || [...answer].length > ANSWER_MAX_LENGTH || answer.includes('\0')) {
        throw wrongUsage(`An answer has 1 to ${ANSWER_MAX_LENGTH} characters.`)
      }
      return shown(await answerRating(deps, id, STAFF, { text: answer }))
    },
  },
  {
    name: 'ratings unanswer',
    usage: '<rating>',
    summary: 'Removes the answer to a rating.',
    async run(deps, { args: [typed] }) {
      const id = readId(typed, 'rating')
      return shown(await removeAnswer(deps, id, STAFF))
    },
  },
  {
    name: 'ratings check',
    usage: '',
    summary: 'Recounts all ratings and compares the averages; exit code 1 when one is wrong.',
    async run({ database }) {
      const wrong = await checkRatings(database.kysely)
      return {
        exit: wrong.length === 0 ? EXIT.done : EXIT.no,
        lines:
          wrong.length === 0
            ? ['All averages are right.']
            : wrong.map(({ kind, id }) => `The ratings of ${kind} ${id} are counted WRONG.`),
        json: { sound: wrong.length === 0, wrong },
      }
    },
  },
]

const STAFF = { actor: COMMAND_LINE, teacherId: 'any' } as const

function shown(rating: RatingRow): Outcome {
  const { id, answer, answeredAt } = rating
  return {
    lines: [
      `Rating ${id}: ${rating.stars} of ${RATING_MAX}, ${subjectName(rating)}, ${ratingState(rating)}`,
      `Author: ${personOf(rating)}`,
      `Since ${moment(rating.createdAt)}`,
      ...(rating.hiddenAt ? [`Hidden ${moment(rating.hiddenAt)}: ${rating.hiddenReason}`] : []),
      ...(rating.comment ? ['', rating.comment] : []),
      ...(answer === null ? [] : ['', `Answered ${moment(answeredAt)}:`, answer]),
    ],
    json: present(rating),
  }
}

async function act(
  deps: Deps,
  id: number,
  action: string | undefined,
  typedReason: string | boolean | undefined,
): Promise<RatingRow | null | undefined> {
  if (action === undefined) {
    return (await readRatings(deps.database.kysely, 'staff', sql`r.id = ${id}`))[0]
  }
  if (action === 'unhide') return setHidden(deps, id, { actor: COMMAND_LINE, reason: null })
  if (action !== 'hide') {
    throw wrongUsage(`"${action}" is neither hide nor unhide.`)
  }
  const reason = readText('--reason', typedReason, HIDING_REASON_MAX_LENGTH)
  return setHidden(deps, id, { actor: COMMAND_LINE, reason })
}

function subjectName(rating: RatingRow): string {
  const { kind, id } = subjectOf(rating)
  return `${kind} ${id}`
}

function present(rating: RatingRow) {
  return {
    id: rating.id,
    stars: rating.stars,
    state: ratingState(rating),
    of: subjectOf(rating),
    title: rating.documentTitle ?? rating.teacherName,
    author: { name: `${rating.firstName} ${rating.lastName}`, email: rating.email },
    comment: rating.comment,
    createdAt: rating.createdAt,
    hiddenAt: rating.hiddenAt,
    hiddenReason: rating.hiddenReason,
    answer: rating.answer,
    answeredAt: rating.answeredAt,
  }
}
