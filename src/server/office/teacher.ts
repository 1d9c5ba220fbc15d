import { type StructError, validate } from 'superstruct'
import { ProfileText } from '../../contract/teacher-profile.ts'
import { LANGUAGES } from '../../rules/languages.ts'
import { LEVELS } from '../../rules/price-bands.ts'
import { BIO_FIELDS, PROFILE_TEXTS, type ProfileTextField } from '../../rules/teacher-profile.ts'
import { fileFault } from '../database/start-error.ts'
import type { Deps } from '../deps.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import {
  findProfile,
  type Profile,
  presentProfile,
  saveProfile,
  setPicture,
  setPictureFile,
  textOfProfile,
} from '../teachers/teachers.ts'
import { type Command, type Input, type Outcome, readId, wrongUsage } from './command.ts'

/** The options that hold a text of the profile. */
const TEXTS: Readonly<Record<ProfileTextField, { option: string; about: string }>> = {
  firstName: { option: 'first-name', about: 'the first name, as Arabic pages show it' },
  lastName: { option: 'last-name', about: 'the last name, as Arabic pages show it' },
  latinName: { option: 'latin-name', about: 'the whole name for French and English pages' },
  bio: { option: 'bio', about: 'a few words in Arabic' },
  bioFr: { option: 'bio-fr', about: 'the same in French; "" removes it' },
  bioEn: { option: 'bio-en', about: 'the same in English; "" removes it' },
}

const text = (about: string) => ({ type: 'string' as const, about })

export const profileCommands: readonly Command[] = [
  {
    name: 'teacher',
    usage: '<teacher>',
    summary: 'Shows the texts of a teacher’s page, or changes them; the change is public at once.',
    details: ['Example: teacher 3 --latin-name "Salma Ben Amor" --picture salma.jpg'],
    options: {
      ...Object.fromEntries(Object.values(TEXTS).map(({ option, about }) => [option, text(about)])),
      subjects: text('ids of subjects, such as 1,4; "" for none'),
      levels: text(`some of ${LEVELS.join(',')}; "" for none`),
      picture: text('a JPEG, PNG or WebP file'),
      'remove-picture': { type: 'boolean', about: 'shows the initials instead' },
    },
    async run(deps, { args: [typed], options }) {
      const teacherId = readId(typed, 'teacher')
      const editor = { teacherId, actor: COMMAND_LINE }
      const { picture, 'remove-picture': removesPicture } = options
      if (picture !== undefined && removesPicture) {
        throw wrongUsage('Give --picture or --remove-picture, not both.')
      }
      let profile = await findProfile(deps.database.kysely, teacherId)
      const wanted = changedText(profile, options)
      if (wanted) profile = await saveProfile(deps, editor, { revision: null, text: wanted })
      if (typeof picture === 'string') profile = await takeFile(deps, editor, picture)
      if (removesPicture) profile = await setPicture(deps, editor, null)
      return shown(profile)
    },
  },
]

/** The text of the profile with the options applied; null if none was given. */
function changedText(profile: Profile, options: Input['options']): ProfileText | null {
  const listed = (option: string) => {
    const typed = options[option]
    return typeof typed === 'string' ? typed.split(',').flatMap((each) => each.trim() || []) : null
  }
  const texts = PROFILE_TEXTS.flatMap((field) => {
    const typed = options[TEXTS[field].option]
    return typeof typed === 'string' ? [[field, typed]] : []
  })
  const [subjects, levels] = [listed('subjects'), listed('levels')]
  if (texts.length === 0 && !subjects && !levels) return null
  const [error, value] = validate(
    {
      ...textOfProfile(profile),
      ...Object.fromEntries(texts),
      ...(subjects && { subjectIds: subjects }),
      ...(levels && { levels }),
    },
    ProfileText,
    { coerce: true },
  )
  if (error) throw wrongUsage(problemIn(error))
  return value
}

function problemIn({ path, failures, message }: StructError): string {
  const [field = ''] = path
  const option = Object.hasOwn(TEXTS, field)
    ? TEXTS[field as ProfileTextField].option
    : field === 'subjectIds'
      ? 'subjects'
      : field
  const [failure] = [...failures()]
  const reason = failure?.refinement === 'checked' ? failure.message : message
  return `--${option}: ${SENTENCES[reason] ?? 'is not valid'}.`
}

/** The sentence for a broken rule of the profile. */
const SENTENCES: Readonly<Record<string, string>> = {
  required: 'is needed',
  maxLength: 'is too long',
  pattern: 'has to be on one line, and the Latin name in Latin letters',
}

async function takeFile(
  deps: Deps,
  editor: { teacherId: number; actor: string },
  path: string,
): Promise<Profile> {
  return await setPictureFile(deps, editor, path).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error
    throw wrongUsage(`${path} cannot be read: ${fileFault(error)}.`)
  })
}

function shown(profile: Profile): Outcome {
  const { id, firstName, lastName, subjects, levels, picturePath } = profile
  const lines = [
    `Teacher ${id}: ${firstName} ${lastName}`.trim(),
    ...(profile.latinName ? [`Latin letters: ${profile.latinName}`] : []),
    ...(subjects
      ? [`Subjects: ${subjects.map((each) => `${each.name} (${each.id})`).join(', ')}`]
      : []),
    ...(levels.length > 0 ? [`Levels: ${levels.join(', ')}`] : []),
    `Picture: ${picturePath ?? 'none, the initials are drawn'}`,
  ]
  const nameOf = new Intl.DisplayNames('en', { type: 'language' })
  for (const language of LANGUAGES) {
    const [name, bio] = [nameOf.of(language), profile[BIO_FIELDS[language]]]
    if (bio) lines.push('', `${name}:`, ...bio.split('\n').map((line) => `  ${line}`.trimEnd()))
  }
  return { lines, json: presentProfile(profile) }
}
