import './people.css'
import { useState } from 'react'
import { PERSON_FILTERS, type Person } from '../../../contract/office-people.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { ROLES } from '../../../rules/roles.ts'
import { peopleTable } from '../../../stores/office/people.ts'
import { islandTexts, useLocale } from '../../parts/island.tsx'
import { Moment, Words } from '../parts/cells.tsx'
import { MailNote } from '../parts/MailNote.tsx'
import { OfficeTable, type TableFilter } from '../parts/OfficeTable.tsx'
import type { Column } from '../parts/ShortTable.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { StateOfPerson } from './StateOfPerson.tsx'

const { island, useTexts } = islandTexts(
  'office-people:people',
  'office-people:roles',
  'office-people:states',
  'office-people:invite',
  'office:table',
  'office:confirm',
  'office-notices:folder',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)

/** All accounts, with a button that invites staff. */
function People() {
  const texts = useTexts('office-people:people')
  const { done } = useTexts('office-people:invite')
  const [isInviting, setInviting] = useState(false)
  const [isDone, setDone] = useState(false)
  return (
    <>
      <MailNote />
      <p>
        <button
          type="button"
          className="button button--primary"
          onClick={() => {
            setDone(false)
            setInviting(true)
          }}
        >
          {texts.invite}
        </button>
      </p>
      <p className={isDone ? 'alert alert--success' : 'visually-hidden'} role="status">
        {isDone ? done : ''}
      </p>
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
        <InviteDialog onDone={() => setDone(true)} onClose={() => setInviting(false)} />
      )}
    </>
  )
}

function useColumns(): readonly Column<Person>[] {
  const locale = useLocale()
  const { columns: heads, unconfirmed } = useTexts('office-people:people')
  const roles = useTexts('office-people:roles')
  return [
    {
      head: heads.name,
      sort: 'name',
      cell: ({ id, name }) => (
        <a href={`${pathIn(locale, '/office/person')}?id=${id}`}>
          <Words>{name}</Words>
        </a>
      ),
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
          {role === 'PARENT' && state === 'active' && !emailConfirmed && (
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

export default island(People)
