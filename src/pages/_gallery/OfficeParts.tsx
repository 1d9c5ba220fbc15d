import { type ReactNode, useState } from 'react'
import type { Person } from '../../contract/office-transfers.ts'
import { ConfirmDialog } from '../../islands/office/parts/ConfirmDialog.tsx'
import { ConfirmWithReason } from '../../islands/office/parts/ConfirmWithReason.tsx'
import { ConflictChoice } from '../../islands/office/parts/ConflictChoice.tsx'
import { Facts, PersonCell, Reference } from '../../islands/office/parts/cells.tsx'
import { Done, useDone } from '../../islands/office/parts/Done.tsx'
import { OfficeTable } from '../../islands/office/parts/OfficeTable.tsx'
import { PagePicture, PageTurner } from '../../islands/office/parts/PageTurner.tsx'
import { PreviewStars } from '../../islands/office/parts/PreviewStars.tsx'
import { ReasonDialog } from '../../islands/office/parts/ReasonDialog.tsx'
import { ReasonForm } from '../../islands/office/parts/ReasonForm.tsx'
import { MoveButtons, SaveOrder } from '../../islands/office/parts/SaveOrder.tsx'
import { ShortTable } from '../../islands/office/parts/ShortTable.tsx'
import { LanguageChoice } from '../../islands/office/parts/Tabs.tsx'
import { islandTexts, useLocale } from '../../islands/parts/island.tsx'
import { dinars } from '../../rules/money.ts'
import { createTable, type TablePage } from '../../stores/office/table.ts'
import { Refusal } from '../../stores/shared/problem.ts'
import { Piece } from './Piece.tsx'
import { DOCUMENTS, PAYMENT } from './samples.ts'

const { island, useTexts } = islandTexts(
  'common:rating',
  'errors:codes',
  'office-errors:codes',
  'office:confirm',
  'office:table',
  'office-catalogue:order',
  'office-goods:ratings',
  'office-goods:reason',
  'office-money:common',
  'office-money:order',
  'office-review:joining',
  'office-review:pages',
  'office-site:conflict',
)

const TITLES = DOCUMENTS.map(({ title }) => title)
const TURNED = TITLES.toReversed()
const PEOPLE: readonly Person[] = [
  { id: 1, name: 'سلمى بن عمر', email: 'parent@karras.test', phone: null },
  { id: 2, name: 'Sami Ben Mahmoud', email: 'sami@karras.test', phone: '+216 20 000 000' },
]
const PICTURES = ['', '/favicon.svg', '/gallery/none.png']

const fails = () => Promise.reject(new Error('It fails.'))
const comesLate = () =>
  Promise.reject(
    Object.assign(new Refusal('done_before', 409), {
      done: { by: 'Sami Ben Mahmoud', at: PAYMENT.createdAt },
    }),
  )
const nothing = async () => {}

const tableOf = (load: () => Promise<TablePage<Person>>) =>
  createTable<Person, 'name', TablePage<Person>>({ what: 'gallery', sorts: ['name'], load })
const TABLES = {
  loading: tableOf(() => new Promise(() => {})),
  empty: tableOf(async () => ({ content: [], totalElements: 0, totalPages: 0, number: 0 })),
}

/** More parts of the office: dialogs, orderings, and views of a single item. */
function OfficeParts() {
  const locale = useLocale()
  const order = useTexts('office-catalogue:order')
  const { facts } = useTexts('office-money:order')
  const joining = useTexts('office-review:joining')
  const pages = useTexts('office-review:pages')
  const conflict = useTexts('office-site:conflict')
  const [language, setLanguage] = useState(locale)
  const [done, say] = useDone()
  const columns = [
    { head: facts.buyer, cell: (person: Person) => <PersonCell person={person} /> },
    { head: facts.receipt, cell: () => <Reference>{PAYMENT.paymentRef}</Reference> },
  ]
  return (
    <>
      {(['loading', 'empty'] as const).map((state) => (
        <Piece title={`OfficeTable, ${state}`} key={state}>
          <OfficeTable
            table={TABLES[state]}
            label="Gallery"
            columns={columns}
            rowKey={({ id }) => id}
            counts={{ count_other: '{{count}}' }}
            empty={{ title: pages.title, text: pages.noFile }}
          />
        </Piece>
      ))}
      <Piece title="ShortTable, PersonCell, Reference">
        <ShortTable label="Gallery" columns={columns} rows={PEOPLE} rowKey={({ id }) => id} />
      </Piece>
      <Piece title="Facts, PreviewStars, LanguageChoice">
        <Facts
          facts={[
            [facts.buyer, PEOPLE[0] && <PersonCell key="buyer" person={PEOPLE[0]} />],
            [facts.receipt, '7'],
            false,
          ]}
        />
        {DOCUMENTS.slice(0, 2).map((document) => (
          <p key={document.id}>
            <PreviewStars rated={document} />
          </p>
        ))}
        <LanguageChoice label={joining.language} chosen={language} onChoose={setLanguage} />
      </Piece>
      <Piece title="Done">
        <Done text={done} />
        <p>
          <button type="button" className="button" onClick={() => say(pages.same)}>
            Done
          </button>
        </p>
      </Piece>
      <Piece title="ConfirmDialog, ConfirmWithReason, ReasonDialog">
        <Dialogs />
      </Piece>
      <Piece title="ReasonForm">
        {[false, true].map((isBusy) => (
          <ReasonForm
            key={String(isBusy)}
            most={20}
            hint={joining.reasonHint}
            texts={joining}
            isBusy={isBusy}
            onSend={() => {}}
            onCancel={() => {}}
          />
        ))}
      </Piece>
      <Piece title="MoveButtons, SaveOrder: saved, failed, changed before">
        <ul className="stack">
          {TITLES.map((name, at) => (
            <li className="cluster" key={name}>
              <MoveButtons
                name={name}
                isFirst={at === 0}
                isLast={at === TITLES.length - 1}
                onMove={() => {}}
              />
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
        {[nothing, fails, comesLate].map((save, at) => (
          <SaveOrder
            // biome-ignore lint/suspicious/noArrayIndexKey: always the same
            key={at}
            texts={order}
            mine={TITLES}
            theirs={TURNED}
            onSave={save}
            onConflict={nothing}
            onDrop={() => {}}
          />
        ))}
      </Piece>
      <Piece title="ConflictChoice">
        <ConflictChoice
          texts={conflict}
          saved={{ by: 'Anis', at: '2026-03-05T10:00:00Z' }}
          differences={[
            { label: order.label, mine: TITLES.join('\n'), theirs: TURNED.join('\n') },
            { label: facts.receipt, mine: '', theirs: '7' },
          ]}
          onKeep={() => {}}
          onTake={() => {}}
        />
      </Piece>
      <Piece title="PageTurner, PagePicture">
        <Turner texts={pages} />
        {PICTURES.map((address) => (
          <PagePicture
            key={address}
            address={address}
            name={pages.page}
            texts={pages}
            onRetry={() => {}}
          />
        ))}
      </Piece>
    </>
  )
}

function Turner({ texts }: { texts: { previous: string; next: string } }) {
  const [page, setPage] = useState(1)
  return (
    <PageTurner page={page} count={3} texts={texts} onTurn={setPage}>
      <span role="status">{page}</span>
    </PageTurner>
  )
}

/** Each dialog behind a button: the first one succeeds, the others fail. */
function Dialogs() {
  const { hide } = useTexts('office-goods:ratings')
  const { refund } = useTexts('office-money:order')
  const [open, setOpen] = useState<string | null>(null)
  const onClose = () => setOpen(null)
  const ask = { title: hide.title, submit: hide.submit, onClose }
  const dialogs: Readonly<Record<string, ReactNode>> = {
    ConfirmDialog: (
      <ConfirmDialog {...ask} onConfirm={nothing}>
        <p>{hide.text}</p>
      </ConfirmDialog>
    ),
    'ConfirmDialog, isDanger': (
      <ConfirmDialog {...ask} isDanger onConfirm={fails}>
        <p>{hide.text}</p>
      </ConfirmDialog>
    ),
    ReasonDialog: (
      <ReasonDialog {...ask} hint={hide.hint} most={20} isDanger onConfirm={fails}>
        <p>{hide.text}</p>
      </ReasonDialog>
    ),
    ConfirmWithReason: (
      <ConfirmWithReason
        title={refund.title}
        amount={dinars(120)}
        to="سلمى الزواري"
        text={refund.text}
        submit={refund.all}
        onConfirm={fails}
        onClose={onClose}
      />
    ),
  }
  return (
    <div className="cluster">
      {Object.keys(dialogs).map((name) => (
        <button type="button" className="button" key={name} onClick={() => setOpen(name)}>
          {name}
        </button>
      ))}
      {open && dialogs[open]}
    </div>
  )
}

export default island(OfficeParts)
