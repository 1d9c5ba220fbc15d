import { atom } from 'nanostores'
import { useState } from 'react'
import { BarChart } from '../../islands/office/parts/BarChart.tsx'
import { ConfirmMoney } from '../../islands/office/parts/ConfirmDialog.tsx'
import { Moment, Money, StateMark, Words } from '../../islands/office/parts/cells.tsx'
import { SelectField, TextField } from '../../islands/office/parts/fields.tsx'
import { OfficeTable } from '../../islands/office/parts/OfficeTable.tsx'
import { RestoredNotice, SaveState } from '../../islands/office/parts/SaveState.tsx'
import type { Column } from '../../islands/office/parts/ShortTable.tsx'
import { Tabs } from '../../islands/office/parts/Tabs.tsx'
import { UploadField } from '../../islands/office/parts/UploadField.tsx'
import { useOfficeForm } from '../../islands/office/parts/use-office-form.tsx'
import { Field } from '../../islands/parts/Field.tsx'
import { islandTexts } from '../../islands/parts/island.tsx'
import { dinars, type Millimes } from '../../rules/money.ts'
import type { SavingState } from '../../stores/office/saving.ts'
import { createTable } from '../../stores/office/table.ts'
import type { UploadState, UploadStore } from '../../stores/office/upload.ts'
import { Piece } from './Piece.tsx'

const { island } = islandTexts(
  'errors:codes',
  'office-errors:codes',
  'office:chart',
  'office:confirm',
  'office:form',
  'office:table',
  'office:upload',
)

interface Row {
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

const ROWS: readonly Row[] = Array.from({ length: 23 }, (_, at) => ({
  id: at + 1,
  title: `${TITLES[at % TITLES.length]} ${at + 1}`,
  state: STATES[at % STATES.length] ?? 'off',
  price: dinars(((at * 37) % 50) + 0.5),
  at: MOMENT,
}))
const SIZE = 8

const table = createTable<Row, '-price' | 'price' | 'title' | '-title', Listed>({
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
        : one.title.localeCompare(other.title)
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
interface Listed {
  content: readonly Row[]
  totalElements: number
  totalPages: number
  number: number
}

const failing = createTable<Row, 'title', Listed>({
  what: 'gallery',
  sorts: ['title'],
  load: () => Promise.reject(new Error('It fails.')),
})

const COLUMNS: readonly Column<Row>[] = [
  { head: 'Title', sort: 'title', cell: ({ title }) => <Words>{title}</Words> },
  { head: 'State', cell: ({ state }) => <StateMark kind={state} text={state} /> },
  { head: 'Changed', cell: ({ at }) => <Moment at={at} withTime /> },
  {
    head: 'Price',
    sort: 'price',
    isNumber: true,
    cell: ({ price }) => <Money amount={price} />,
  },
]

const PROGRESS = { name: 'الكسور.pdf', size: 4_000_000, sent: 1_480_000 }
const UPLOADS: readonly UploadState[] = [
  { phase: 'none' },
  { phase: 'sending', ...PROGRESS },
  { phase: 'paused', ...PROGRESS },
  { phase: 'waiting', ...PROGRESS },
  { phase: 'file-missing', ...PROGRESS },
  { phase: 'checking', ...PROGRESS, sent: PROGRESS.size },
  { phase: 'done', missingFonts: [] },
  { phase: 'done', missingFonts: ['Simplified Arabic', 'Traditional Arabic'] },
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

/** The parts of the office in each of their states. */
function OfficePieces() {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Piece title="OfficeTable">
        <OfficeTable
          table={table}
          label="Gallery"
          columns={COLUMNS}
          rowKey={({ id }) => id}
          counts={{ count_other: '{{count}}' }}
          empty={{ text: '–' }}
          search="Search"
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
        <OfficeTable
          table={failing}
          label="Gallery"
          columns={COLUMNS}
          rowKey={({ id }) => id}
          counts={{ count_other: '{{count}}' }}
          empty={{ text: '–' }}
        />
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
          <UploadField key={state.phase} upload={still(state)} label="PDF" hint="PDF, 100 MB" />
        ))}
      </Piece>
      <Piece title="Tabs">
        <Choice />
      </Piece>
      <Piece title="BarChart">
        <BarChart title="March" points={POINTS} unit="Day" />
        <BarChart title="One" points={POINTS.slice(0, 1)} unit="Day" />
      </Piece>
      <Piece title="ConfirmMoney">
        <p>
          <button type="button" className="button" onClick={() => setAsking(true)}>
            ConfirmMoney
          </button>
        </p>
        {isAsking && (
          <ConfirmMoney
            title="?"
            amount={dinars(120)}
            to="سلمى الزواري"
            text="RIB 04 000 0000000000000 00"
            submit="!"
            onConfirm={() => Promise.reject(new Error('It fails.'))}
            onClose={() => setAsking(false)}
          />
        )}
      </Piece>
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
    fields: ['title', 'level', 'text'],
    initial: { title: 'الكسور', level: '', text: '' },
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
      <TextField label="Text" {...form.fieldOf('text')} />
      <SaveState {...form.saveState} onRetry={form.retry} />
    </form>
  )
}

export default island(OfficePieces)
