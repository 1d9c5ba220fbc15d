import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { StateOfPerson } from './StateOfPerson.tsx'
import './people.css'
import {
  ACCOUNT_REASON_MAX_LENGTH,
  PERSON_FILTERS,
  type Person,
} from '../../../contract/office-people.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { LANGUAGES, type Language } from '../../../rules/languages.ts'
import { ROLES, STAFF_ROLES, type StaffRole } from '../../../rules/roles.ts'
import { email as checkEmail, NAME_MAX_LENGTH, required } from '../../../rules/validators.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { Moment, WordsLink } from '../../kit/tables/cells.tsx'
import { filterOf, OfficeTable, type TableFilter } from '../../kit/tables/OfficeTable.tsx'
import type { Column } from '../../kit/tables/ShortTable.tsx'
import { useOutcome } from '../acts/outcome.ts'
import { MailNote } from '../notices/MailNote.tsx'
import { invite, peopleTable } from './people.ts'

const { island, useTexts } = adminTexts(
  'office-people:people',
  'office-people:roles',
  'office-people:states',
  'office-people:invite',
  'office-acts:waits',
  'office:table',
  'office:confirm',
  'office-notices:folder',
)

function People() {
  const texts = useTexts('office-people:people')
  const { ask, dialog, message } = useQuestions()
  const invitation = useInvitation()
  return (
    <>
      <MailNote />
      <p>
        <Button kind="primary" onClick={() => ask(invitation)}>
          {texts.invite}
        </Button>
      </p>
      {message}
      <OfficeTable
        table={peopleTable}
        columns={useColumns()}
        texts={texts}
        filters={useFilters()}
      />
      {dialog}
    </>
  )
}

function useColumns(): readonly Column<Person>[] {
  const { columns: heads, unconfirmed } = useTexts('office-people:people')
  const roles = useTexts('office-people:roles')
  return [
    {
      head: heads.name,
      sort: 'name',
      cell: ({ id, name }) => <WordsLink to={`/office/person?id=${id}`}>{name}</WordsLink>,
    },
    { head: heads.role, cell: ({ role }) => roles[role] },
    { head: heads.state, cell: ({ state }) => <StateOfPerson state={state} /> },
    {
      head: heads.email,
      isWide: true,
      cell: ({ email, role, state, emailConfirmed }) => (
        <>
          <bdi dir="ltr" className="people__email">
            {email}
          </bdi>
          {email !== null && role === 'PARENT' && state === 'active' && !emailConfirmed && (
            <span className="people__note soft small">{unconfirmed}</span>
          )}
        </>
      ),
    },
    {
      head: heads.phone,
      cell: ({ phone }) => (phone === null ? '–' : <bdi dir="ltr">{phone}</bdi>),
    },
    { head: heads.since, sort: 'since', cell: ({ since }) => <Moment at={since} /> },
  ]
}

function useFilters(): readonly TableFilter[] {
  const { filters: labels } = useTexts('office-people:people')
  const roles = useTexts('office-people:roles')
  return [
    filterOf('role', labels.role, ROLES, roles),
    filterOf('state', labels.state, PERSON_FILTERS, labels),
  ]
}

/** The question whom to invite. */
function useInvitation() {
  const locale = useLocale()
  const texts = useTexts('office-people:invite')
  const roles = useTexts('office-people:roles')
  const outcome = useOutcome()
  const reason = useReason()(ACCOUNT_REASON_MAX_LENGTH, { hint: undefined })
  const options = STAFF_ROLES.map((each) => ({ value: each, text: roles[each] }))
  const languages = LANGUAGES.map((each) => ({ value: each, text: texts.languages[each] }))
  const nameField = <F extends 'firstName' | 'lastName'>(name: F) =>
    ({ name, label: texts[name], maxLength: NAME_MAX_LENGTH }) as const
  const isEmail = (text: string) => !required(text) && checkEmail(text) === null
  return {
    title: texts.title,
    submit: texts.submit,
    text: texts.text,
    fields: [
      { name: 'role', label: texts.role, options },
      {
        name: 'email',
        label: texts.email,
        type: 'email',
        dir: 'ltr',
        check: (text: string) => !isEmail(text) && texts.wrong,
      },
      nameField('firstName'),
      nameField('lastName'),
      { name: 'language', label: texts.language, options: languages, initial: locale },
      { ...reason, isShown: ({ role }: { role: string }) => role === 'ADMIN' },
    ] as const,
    send: async (given: InvitationValues) => {
      const { role, language, reason, ...person } = given
      const invited = await invite({
        ...person,
        role: role as StaffRole,
        locale: language as Language,
        ...(role === 'ADMIN' && { reason }),
      })
      return outcome(invited, texts.done)
    },
  }
}

type InvitationValues = Record<
  'role' | 'email' | 'firstName' | 'lastName' | 'language' | 'reason',
  string
>

export default island(People)
