import { atom } from 'nanostores'
import { useState } from 'react'
import type { Contact } from '../../contract/office-transfers.ts'
import { Button, ButtonLink } from '../../islands/parts/Button.tsx'
import { Field } from '../../islands/parts/Field.tsx'
import { useLocale } from '../../islands/parts/island.tsx'
import { BarChart } from '../../office/kit/BarChart.tsx'
import { Choices } from '../../office/kit/forms/Choices.tsx'
import { ConflictChoice } from '../../office/kit/forms/ConflictChoice.tsx'
import { ReasonForm } from '../../office/kit/forms/field-table.tsx'
import { SelectField, TextField } from '../../office/kit/forms/fields.tsx'
import { useQuestions, useReason } from '../../office/kit/forms/questions.tsx'
import { MoveButtons, SaveOrder } from '../../office/kit/forms/SaveOrder.tsx'
import { RestoredNotice, SaveState } from '../../office/kit/forms/SaveState.tsx'
import type { SavingState } from '../../office/kit/forms/saving.ts'
import { UploadField } from '../../office/kit/forms/UploadField.tsx'
import type { UploadState, UploadStore } from '../../office/kit/forms/upload.ts'
import { useOfficeForm } from '../../office/kit/forms/use-office-form.tsx'
import { officeTexts } from '../../office/kit/office-texts.ts'
import { PagePicture, PageTurner } from '../../office/kit/PageTurner.tsx'
import { PreviewStars } from '../../office/kit/PreviewStars.tsx'
import { LanguageChoice, Tabs } from '../../office/kit/Tabs.tsx'
import { Trend } from '../../office/kit/Trend.tsx'
import {
  Facts,
  Moment,
  PersonCell,
  Reference,
  StateMark,
  Words,
} from '../../office/kit/tables/cells.tsx'
import { OfficeTable } from '../../office/kit/tables/OfficeTable.tsx'
import { SearchForm } from '../../office/kit/tables/SearchForm.tsx'
import { type Column, moneyColumn, ShortTable } from '../../office/kit/tables/ShortTable.tsx'
import { createTable, type TablePage } from '../../office/kit/tables/table.ts'
import { useAction } from '../../office/kit/use-action.tsx'
import { dinars, type Millimes } from '../../rules/money.ts'
import { textOrder } from '../../rules/text-order.ts'
import { Refusal } from '../../stores/shared/problem.ts'
import { Piece } from './Piece.tsx'
import { DOCUMENTS, PAYMENT } from './samples.ts'

const { island, useTexts } = officeTexts(
  'common:rating',
  'office-catalogue:order',
  'office-goods:ratings',
  'office-money:common',
  'office-money:order',
  'office-review:joining',
  'office-review:pages',
  'office-site:conflict',
  'office:chart',
  'office:confirm',
  'office:form',
  'office:table',
  'office:upload',
)

interface GalleryRow {
  id: number
  title: string
  state: 'waiting' | 'good' | 'bad' | 'off'
  price: Millimes
  at: string
}

const TITLES = ['الكسور خطوة بخطوة: دروس وأمثلة', 'Équations du second degré', 'امتحان تجريبي']
const STATES = ['waiting', 'good', 'bad', 'off'] as const
const MOMENT = '2026-03-05T10:00:00Z'
const NETWORK = { code: 'network', status: 0, message: '', fields: {} } as const

const ROWS: readonly GalleryRow[] = Array.from({ length: 23 }, (_, at) => ({
  id: at + 1,
  title: `${TITLES[at % TITLES.length]} ${at + 1}`,
  state: STATES[at % STATES.length] ?? 'off',
  price: dinars(((at * 37) % 50) + 0.5),
  at: MOMENT,
}))
const SIZE = 8

const table = createTable({
  what: 'gallery',
  sorts: ['title', '-title', '-price', 'price'],
  filters: ['state'],
  load: async ({ page, sort, q = '', state }) => {
    const sign = sort.startsWith('-') ? -1 : 1
    const found = ROWS.filter(
      (row) => row.title.includes(q) && (state === undefined || row.state === state),
    ).sort((one, other) => {
      const order = sort.endsWith('price')
        ? one.price - other.price
        : textOrder('ar')(one.title, other.title)
      return sign * order
    })
    return {
      content: found.slice(page * SIZE, (page + 1) * SIZE),
      totalElements: found.length,
      totalPages: Math.ceil(found.length / SIZE),
      number: page,
    }
  },
})

const failing = createTable({
  what: 'gallery',
  sorts: ['title'],
  load: () => Promise.reject(new Error('It fails.')),
})

const TEXTS = { label: 'Gallery', counts: { count_other: '{{count}}' }, empty: '–' }

const COLUMNS: readonly Column<GalleryRow>[] = [
  { head: 'Title', sort: 'title', cell: ({ title }) => <Words>{title}</Words> },
  { head: 'State', cell: ({ state }) => <StateMark kind={state} text={state} /> },
  { head: 'Changed', cell: ({ at }) => <Moment at={at} withTime /> },
  moneyColumn('Price', ({ price }) => price, 'price'),
]

const PROGRESS = { name: 'الكسور.pdf', size: 4_000_000, sent: 1_480_000 }
const UPLOADS: readonly UploadState[] = [
  { phase: 'none' },
  { phase: 'sending', ...PROGRESS },
  { phase: 'paused', ...PROGRESS },
  { phase: 'waiting', ...PROGRESS },
  { phase: 'file-missing', ...PROGRESS },
  { phase: 'checking', ...PROGRESS, sent: PROGRESS.size },
  { phase: 'done', missingFonts: [], isSigned: false },
  { phase: 'done', missingFonts: ['Simplified Arabic', 'Traditional Arabic'], isSigned: false },
  { phase: 'done', missingFonts: [], isSigned: true },
  { phase: 'failed', name: PROGRESS.name, problem: { ...NETWORK, code: 'pdf_encrypted' } },
]
const SAVINGS: readonly SavingState[] = [
  { phase: 'saved' },
  { phase: 'changed' },
  { phase: 'saving' },
  { phase: 'failed', problem: NETWORK },
]
const POINTS = Array.from({ length: 30 }, (_, at) => ({
  key: String(at),
  label: `${at + 1}/3`,
  amount: dinars((at * 7919) % 23),
}))

const still = (state: UploadState): UploadStore => ({
  purpose: 'document',
  $state: atom(state),
  choose: () => {},
  pause: () => {},
  resume: () => {},
  cancel: async () => {},
  open: () => () => {},
})

function OfficePieces() {
  return (
    <>
      <Piece title="OfficeTable">
        <OfficeTable
          table={table}
          texts={{ ...TEXTS, search: 'Search' }}
          columns={COLUMNS}
          filters={[
            {
              name: 'state',
              label: 'State',
              options: STATES.map((value) => ({ value, text: value })),
            },
          ]}
        />
      </Piece>
      <Piece title="OfficeTable, failed">
        <OfficeTable table={failing} texts={TEXTS} columns={COLUMNS} />
      </Piece>
      <Piece title="Button, ButtonLink">
        <p className="cluster">
          <Button>Button</Button>
          <Button kind="primary" isBusy>
            Primary, busy
          </Button>
          <Button kind="danger">Danger</Button>
          <ButtonLink kind="plain" to="/office">
            Plain
          </ButtonLink>
        </p>
      </Piece>
      <Piece title="useOfficeForm, SaveState">
        <SavedForm />
        {SAVINGS.map((state) => (
          <SaveState key={state.phase} state={state} isWaiting={false} onRetry={() => {}} />
        ))}
        <RestoredNotice onDiscard={() => {}} />
      </Piece>
      <Piece title="UploadField">
        {UPLOADS.map((state) => (
          <UploadField
            key={JSON.stringify(state)}
            upload={still(state)}
            label="PDF"
            hint="PDF, 100 MB"
          />
        ))}
      </Piece>
      <Piece title="Trend">
        <Trend now={12} before={8}>
          12, 8
        </Trend>
        <Trend now={8} before={8}>
          8, 8
        </Trend>
      </Piece>
      <Piece title="Tabs">
        <Choice />
      </Piece>
      <Piece title="BarChart">
        <BarChart title="March" points={POINTS} unit="Day" />
        <BarChart title="One" points={POINTS.slice(0, 1)} unit="Day" />
      </Piece>
      <Piece title="SearchForm">
        <SearchForm label="Search" submit="Find" onSearch={() => {}} />
      </Piece>
      <OfficeParts />
    </>
  )
}

function Choice() {
  const [level, setLevel] = useState('1')
  const tabs = ['1', '2', '3'].map((value) => ({ value, text: value }))
  return <Tabs label="Level" tabs={tabs} chosen={level} onChoose={setLevel} />
}

function SavedForm() {
  const form = useOfficeForm({
    fields: ['title', 'level', 'several', 'text'],
    initial: { title: 'الكسور', level: '', several: '1,3', text: '' },
    keepAs: 'gallery',
    check: ({ title }) => (title === '' ? { title: 'required' } : {}),
    sentence: (_, mistake) => mistake,
    save: async () => {},
    isAutomatic: true,
  })
  return (
    <form className="stack" {...form.formProps}>
      <Field label="Title" dir="auto" {...form.fieldOf('title')} />
      <SelectField
        label="Level"
        options={['', '1', '2'].map((value) => ({ value, text: value }))}
        {...form.fieldOf('level')}
      />
      <Choices
        legend="Several"
        hint="At most two"
        most={2}
        value={form.values.several}
        options={['1', '2', '3'].map((value) => ({ value, text: value }))}
        {...form.fieldOf('several')}
      />
      <TextField label="Text" {...form.fieldOf('text')} />
      <SaveState {...form.saveState} onRetry={form.retry} />
    </form>
  )
}

const DOCUMENT_TITLES = DOCUMENTS.map(({ title }) => title)
const TURNED = DOCUMENT_TITLES.toReversed()
const PEOPLE: readonly Contact[] = [
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

const tableOf = (load: () => Promise<TablePage<Contact>>) =>
  createTable({ what: 'gallery', sorts: ['name'], load })
const TABLES = {
  loading: tableOf(() => new Promise(() => {})),
  empty: tableOf(async () => ({ content: [], totalElements: 0, totalPages: 0, number: 0 })),
}

function OfficeParts() {
  const locale = useLocale()
  const order = useTexts('office-catalogue:order')
  const { facts } = useTexts('office-money:order')
  const joining = useTexts('office-review:joining')
  const pages = useTexts('office-review:pages')
  const conflict = useTexts('office-site:conflict')
  const [language, setLanguage] = useState(locale)
  const { message, say } = useAction()
  const columns = [
    { head: facts.buyer, cell: (person: Contact) => <PersonCell person={person} /> },
    { head: facts.receipt, cell: () => <Reference>{PAYMENT.paymentRef}</Reference> },
  ]
  return (
    <>
      {(['loading', 'empty'] as const).map((state) => (
        <Piece title={`OfficeTable, ${state}`} key={state}>
          <OfficeTable
            table={TABLES[state]}
            texts={{ ...TEXTS, empty: { title: pages.title, text: pages.noFile } }}
            columns={columns}
          />
        </Piece>
      ))}
      <Piece title="ShortTable, PersonCell, Reference">
        <ShortTable label="Gallery" columns={columns} rows={PEOPLE} />
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
      <Piece title="useAction">
        {message}
        <p>
          <Button onClick={() => say(pages.same)}>Say</Button>
        </p>
      </Piece>
      <Piece title="useQuestions">
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
          {DOCUMENT_TITLES.map((name, at) => (
            <li className="cluster" key={name}>
              <MoveButtons
                name={name}
                isFirst={at === 0}
                isLast={at === DOCUMENT_TITLES.length - 1}
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
            mine={DOCUMENT_TITLES}
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
            {
              label: order.label,
              mine: DOCUMENT_TITLES.join('\n'),
              theirs: TURNED.join('\n'),
            },
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

/** Each question behind a button: the first one succeeds, the others fail. */
function Dialogs() {
  const { hide } = useTexts('office-goods:ratings')
  const { refund } = useTexts('office-money:order')
  const { message, say } = useAction()
  const { ask, dialog } = useQuestions(say)
  const reason = useReason()(20, { hint: hide.hint })
  const { title, submit, text } = hide
  const money = { amount: dinars(120), to: 'سلمى الزواري' }
  const buttons = {
    plain: () => ask({ title, submit, text, send: async () => hide.done }),
    danger: () => ask({ title, submit, text, isDanger: true, fields: [reason], send: fails }),
    money: () => ask({ title: refund.title, submit: refund.all, money, text, send: fails }),
  }
  return (
    <>
      {message}
      <p className="cluster">
        {Object.entries(buttons).map(([name, onClick]) => (
          <Button key={name} onClick={onClick}>
            {name}
          </Button>
        ))}
      </p>
      {dialog}
    </>
  )
}

export default island(OfficePieces)
