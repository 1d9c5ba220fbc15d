import { PAGE_SIZE_MAX } from '../../rules/pager.ts'
import { questionsAbout } from '../chat/chat.ts'
import { type Command, readId } from './command.ts'
import { moment } from './print.ts'

export const questionCommands: readonly Command[] = [
  {
    name: 'questions',
    usage: '<teacher>',
    summary: 'Lists the questions about a teacher’s documents, as the teacher sees them.',
    details: [
      'Customers have first names alone, and contact details are masked; `chat` shows all.',
    ],
    options: { page: { type: 'string', about: `from 1; ${PAGE_SIZE_MAX} questions each` } },
    async run({ database }, { args: [typed], options: { page: at = '1' } }) {
      const teacherId = readId(typed, 'teacher')
      const page = readId(String(at), 'page') - 1
      const { questions, total } = await questionsAbout(database.kysely, teacherId, {
        page,
        size: PAGE_SIZE_MAX,
      })
      return {
        lines:
          questions.length === 0
            ? ['There are no such questions.']
            : [
                ...questions.flatMap(({ askedAt, document, customer, text, answers }) => [
                  `${moment(new Date(askedAt))}  document ${document.id}: ${document.title}`,
                  ...indented(customer, text),
                  ...answers.flatMap((answer) => indented('the shop', answer.text)),
                  '',
                ]),
                `${total} in all.`,
              ],
        json: { total, questions },
      }
    },
  },
]

/** A message with its author, as indented lines. */
function indented(who: string, text: string): string[] {
  return `${who}: ${text}`.split('\n').map((line) => `  ${line}`)
}
