import type { CannedAnswer } from '../../contract/office-canned-answers.ts'
import {
  CANNED_NAME_MAX_LENGTH,
  CANNED_TEXT_MAX_LENGTH,
  hasKnownPlaceholders,
} from '../../rules/canned-answers.ts'
import { inEachLanguage } from '../../rules/in-each-language.ts'
import { DEFAULT_LANGUAGE, LANGUAGES } from '../../rules/languages.ts'
import {
  addCannedAnswer,
  changeCannedAnswer,
  closeConversation,
  type Handling,
  handBackConversation,
  readCannedAnswers,
  takeConversation,
} from '../chat/chat.ts'
import type { Deps } from '../deps.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Conversation, findConversation, handlingOf } from './chat.ts'
import {
  type Command,
  type Input,
  type Outcome,
  readChoice,
  readId,
  readText,
  refusal,
  wrongUsage,
} from './command.ts'
import { table } from './print.ts'

const AS = { as: { type: 'string', about: 'the e-mail of the administrator who does it' } } as const

/** Makes a command with which an administrator acts on one conversation. */
function handling(
  name: string,
  summary: string,
  act: (deps: Deps, by: Handling, one: Conversation) => Promise<void>,
): Command {
  return {
    name: `chat ${name}`,
    usage: '<room>',
    summary,
    options: AS,
    async run(deps, { args: [room = ''], options: { as } }) {
      if (as === undefined) throw wrongUsage('This takes --as <e-mail>.')
      const one = await findConversation(deps, room)
      await act(deps, await handlingOf(deps, one, String(as)), one)
      const { takenBy } = await findConversation(deps, one.id)
      const who = takenBy === null ? 'nobody has taken it' : `${takenBy} has taken it`
      return { lines: [`${one.id}: ${who}.`], json: { room: one.id, takenBy } }
    },
  }
}

/** Commands that take, hand back and close conversations, and those for canned answers. */
export const conversationCommands: readonly Command[] = [
  handling(
    'take',
    'Takes a conversation of the common inbox, also from who has taken it.',
    (deps, by, { takenById }) => takeConversation(deps, by, takenById),
  ),
  handling('hand-back', 'Gives a conversation back to the common inbox.', handBackConversation),
  handling(
    'close',
    'Lets a conversation that needs no answer wait no longer.',
    (deps, by, { lastMessageId }) => closeConversation(deps, by, lastMessageId ?? 0),
  ),
  {
    name: 'chat answers',
    usage: '[answer|new] [language|retire|restore] [name] [text]',
    summary: 'Lists the canned answers; adds, changes, retires or restores one.',
    details: [
      'chat answers new ar "الأسعار" "مرحبا {{name}}، …"    adds one, in Arabic first',
      'chat answers 3 fr "Les prix" "Bonjour {{name}}, …"   changes one in a language',
      'chat answers 3 retire                                offers it no more; restore does again',
    ],
    async run(deps, input) {
      const [which] = input.args
      if (which === undefined) return list(await readCannedAnswers(deps.database.kysely))
      return list([which === 'new' ? await add(deps, input) : await change(deps, which, input)])
    },
  },
]

function list(answers: readonly CannedAnswer[]): Outcome {
  return {
    lines: table('There are no canned answers.', answers, {
      answer: ({ id }) => id,
      state: ({ isRetired }) => (isRetired ? 'retired' : ''),
      name: ({ name }) => name[DEFAULT_LANGUAGE],
      text: ({ text }) => text[DEFAULT_LANGUAGE].replace(/\s+/g, ' '),
    }),
    json: answers,
  }
}

async function add({ database }: Deps, { args: [, language, name, text] }: Input) {
  if (language !== DEFAULT_LANGUAGE)
    throw wrongUsage('A new answer begins in Arabic: new ar "name" "text".')
  const inArabic = (words: string) =>
    inEachLanguage((each) => (each === DEFAULT_LANGUAGE ? words : ''))
  const form = { name: inArabic(readName(name)), text: inArabic(readAnswer(text)) }
  return addCannedAnswer(database, form, COMMAND_LINE)
}

async function change(deps: Deps, which: string, { args: [, what, name, text] }: Input) {
  const id = readId(which, 'canned answer')
  const known = (await readCannedAnswers(deps.database.kysely)).find((one) => one.id === id)
  if (!known) throw refusal(`There is no canned answer ${id}.`)
  const act = readChoice('What is done', what, [...LANGUAGES, 'retire', 'restore'])
  if (act === undefined) throw wrongUsage('Say a language, retire or restore.')
  if (act === 'retire' || act === 'restore') {
    return changeCannedAnswer(deps, { ...known, isRetired: act === 'retire' }, COMMAND_LINE)
  }
  const to = {
    name: { ...known.name, [act]: readName(name) },
    text: { ...known.text, [act]: readAnswer(text) },
  }
  return changeCannedAnswer(deps, { ...known, ...to }, COMMAND_LINE)
}

const readName = (typed: string | undefined) => readText('The name', typed, CANNED_NAME_MAX_LENGTH)

function readAnswer(typed: string | undefined): string {
  const text = readText('The text', typed, CANNED_TEXT_MAX_LENGTH)
  if (hasKnownPlaceholders(text)) return text
  throw wrongUsage('The only placeholder is {{name}}, the customer’s first name.')
}
