import { JOIN_REASON_MAX_LENGTH } from '../../rules/joining.ts'
import { acceptJoinRequest, listJoinRequests, refuseJoinRequest } from '../accounts/accounts.ts'
import type { Deps } from '../deps.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, readId, readText } from './command.ts'
import { MAILED } from './invitations.ts'
import { moment, table } from './print.ts'

const TEACHERS_LISTED = 500

export const teacherCommands: readonly Command[] = [
  {
    name: 'teachers',
    usage: '',
    summary: 'Lists the requests to join as a teacher, and the teachers.',
    details: ['A request is listed once its e-mail address is confirmed.'],
    async run(deps) {
      const requests = await listJoinRequests(deps.database)
      const teachers = await listTeachers(deps)
      return {
        lines: [
          ...(requests.length > 0
            ? ['Asking to join (teachers accept <id>, teachers refuse <id> "<reason>"):']
            : ['Nobody asks to join.']),
          ...requests.flatMap(({ id, confirmedAt, phone, email, message, subjects, ...name }) => [
            '',
            `#${id}  ${moment(confirmedAt)}  ${phone}  ${email}  ${fullName(name)}`,
            `  ${subjects}`,
            ...message.split('\n').map((line) => `  ${line}`.trimEnd()),
          ]),
          '',
          ...table('There are no teachers.', teachers, {
            teacher: ({ id }) => id,
            user: ({ userId }) => userId,
            state: ({ state }) => state,
            documents: ({ documents }) => documents,
            'e-mail': ({ email }) => email,
            name: fullName,
          }),
        ],
        json: { requests, teachers },
      }
    },
  },
  {
    name: 'teachers accept',
    usage: '<request>',
    summary: 'Accepts a request to join: invites the teacher by mail, and prints the link.',
    makesLinks: true,
    async run(deps, { args: [typed] }) {
      const id = readId(typed, 'request')
      const { email, userId, link } = await acceptJoinRequest(deps, { id, actor: COMMAND_LINE })
      return {
        lines: [
          `${email} is now a teacher (user ${userId}). Link to set a password:`,
          link,
          MAILED,
        ],
        json: { email, userId, link },
      }
    },
  },
  {
    name: 'teachers refuse',
    usage: '<request> <reason>',
    summary: 'Refuses a request to join; the applicant is mailed the reason.',
    details: [
      'teachers refuse 12 "We have enough documents of this subject."',
      'Write the reason in the applicant’s language.',
    ],
    makesLinks: true,
    async run(deps, { args: [typed, given] }) {
      const id = readId(typed, 'request')
      const reason = readText('A reason', given, JOIN_REASON_MAX_LENGTH)
      const refused = await refuseJoinRequest(deps, { id, actor: COMMAND_LINE, reason })
      return { lines: [`${refused.email} was refused, with a mail that says why.`], json: refused }
    },
  },
]

async function listTeachers({ database }: Deps) {
  const rows = await database.kysely
    .selectFrom('teachers')
    .leftJoin('users', 'users.id', 'teachers.userId')
    .select(['teachers.id', 'teachers.userId', 'teachers.email', 'users.blockedAt'])
    .select(['teachers.firstName', 'teachers.lastName'])
    .select(({ selectFrom }) =>
      selectFrom('documents')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('teacherId', '=', 'teachers.id')
        .as('documents'),
    )
    .orderBy('teachers.id')
    .limit(TEACHERS_LISTED)
    .execute()
  return rows.map(({ blockedAt, ...teacher }) => ({
    ...teacher,
    state: blockedAt ? 'blocked' : teacher.userId === null ? 'no account' : 'active',
  }))
}

function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim()
}
