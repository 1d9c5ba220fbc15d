import { Done, useDone } from '../parts/Done.tsx'
import './people.css'
import { useRef, useState } from 'react'
import {
  ACCOUNT_REASON_MAX_LENGTH,
  PERSON_FILTERS,
  type Person,
} from '../../../contract/office-people.ts'
import { LANGUAGES, type Language } from '../../../rules/languages.ts'
import { ROLES, STAFF_ROLES, type StaffRole } from '../../../rules/roles.ts'
import { email as checkEmail, NAME_MAX_LENGTH, required } from '../../../rules/validators.ts'
import { invite, peopleTable } from '../../../stores/office/people.ts'
import { Refusal } from '../../../stores/shared/problem.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale } from '../../parts/island.tsx'
import { Button } from '../parts/Button.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { Moment, WordsLink } from '../parts/cells.tsx'
import { SelectField } from '../parts/fields.tsx'
import { MailNote } from '../parts/MailNote.tsx'
import { OfficeTable, type TableFilter } from '../parts/OfficeTable.tsx'
import { adminTexts } from '../parts/office-texts.ts'
import type { Column } from '../parts/ShortTable.tsx'
import { StateOfPerson } from './ReasonField.tsx'

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
  const { done } = useTexts('office-people:invite')
  const [isInviting, setInviting] = useState(false)
  const waits = useTexts('office-acts:waits')
  const [told, setTold] = useDone()
  return (
    <>
      <MailNote />
      <p>
        <Button
          kind="primary"
          onClick={() => {
            setTold('')
            setInviting(true)
          }}
        >
          {texts.invite}
        </Button>
      </p>
      <Done text={told} />
      <OfficeTable
        table={peopleTable}
        label={texts.label}
        columns={useColumns()}
        rowKey={({ id }) => id}
        counts={texts.counts}
        search={texts.search}
        empty={{ text: texts.empty }}
        filters={useFilters()}
      />
      {isInviting && (
        <InviteDialog
          onDone={(isWaiting) => setTold(isWaiting ? waits.text : done)}
          onClose={() => setInviting(false)}
        />
      )}
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
    {
      name: 'role',
      label: labels.role,
      options: ROLES.map((role) => ({ value: role, text: roles[role] })),
    },
    {
      name: 'state',
      label: labels.state,
      options: PERSON_FILTERS.map((state) => ({ value: state, text: labels[state] })),
    },
  ]
}

interface InviteProps {
  onDone: (isWaiting: boolean) => void
  onClose: () => void
}

function InviteDialog({ onDone, onClose }: InviteProps) {
  const locale = useLocale()
  const texts = useTexts('office-people:invite')
  const roles = useTexts('office-people:roles')
  const form = useRef<HTMLFormElement>(null)
  const [isInvalid, setInvalid] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const [role, setRole] = useState<StaffRole>(STAFF_ROLES[0])
  const send = async () => {
    const data = new FormData(form.current ?? undefined)
    const read = (name: string) => String(data.get(name) ?? '').trim()
    const isEmail = !required(read('email')) && checkEmail(read('email')) === null
    setInvalid(!isEmail)
    if (!isEmail) {
      form.current?.querySelector<HTMLInputElement>('[name="email"]')?.focus()
      throw new Refusal('invalid_input', 400)
    }
    const reason = read('reason')
    const lacksReason = role === 'ADMIN' && reason === ''
    setMissing(lacksReason)
    if (lacksReason) throw new Refusal('invalid_input', 400)
    const isWaiting = await invite({
      role,
      ...(reason !== '' && { reason }),
      email: read('email'),
      firstName: read('firstName'),
      lastName: read('lastName'),
      locale: read('language') as Language,
    })
    onDone(isWaiting)
  }
  return (
    <ConfirmDialog title={texts.title} submit={texts.submit} onConfirm={send} onClose={onClose}>
      <form
        ref={form}
        className="stack"
        method="post"
        noValidate
        onSubmit={(event) => event.preventDefault()}
      >
        <p>{texts.text}</p>
        <SelectField
          name="role"
          label={texts.role}
          options={STAFF_ROLES.map((each) => ({ value: each, text: roles[each] }))}
          value={role}
          onChange={({ target }) => setRole(target.value as StaffRole)}
        />
        <Field
          name="email"
          type="email"
          dir="ltr"
          autoComplete="off"
          label={texts.email}
          error={isInvalid ? texts.wrong : undefined}
        />
        <Field
          name="firstName"
          dir="auto"
          autoComplete="off"
          maxLength={NAME_MAX_LENGTH}
          label={texts.firstName}
        />
        <Field
          name="lastName"
          dir="auto"
          autoComplete="off"
          maxLength={NAME_MAX_LENGTH}
          label={texts.lastName}
        />
        <SelectField
          name="language"
          label={texts.language}
          defaultValue={locale}
          options={LANGUAGES.map((each) => ({ value: each, text: texts.languages[each] }))}
        />
        {role === 'ADMIN' && (
          <Field
            name="reason"
            dir="auto"
            autoComplete="off"
            maxLength={ACCOUNT_REASON_MAX_LENGTH}
            label={texts.reason}
            error={isMissing ? texts.reasonMissing : undefined}
          />
        )}
      </form>
    </ConfirmDialog>
  )
}

export default island(People)
