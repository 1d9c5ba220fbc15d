import { useState } from 'react'
import type { Bounds as BoundsData } from '../../../contract/office-acts.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { ACT_STATES, BOUND_MAX, BOUNDED_KINDS, type BoundName } from '../../../rules/two-people.ts'
import { $bounds, actTable, loadBounds, setBound } from '../../../stores/office/acts.ts'
import { readAmount } from '../../../stores/office/amount.ts'
import { randomId } from '../../../stores/shared/browser.ts'
import { Field } from '../../parts/Field.tsx'
import { Button } from '../parts/Button.tsx'
import { ConfirmDialog, useReason } from '../parts/ConfirmDialog.tsx'
import { Money } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { TextField } from '../parts/fields.tsx'
import { LoadedStore } from '../parts/loaded-store.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import { adminTexts } from '../parts/office-texts.ts'
import { ShortTable } from '../parts/ShortTable.tsx'
import { useActColumns } from './columns.tsx'

const { island, useTexts } = adminTexts(
  'office-acts:page',
  'office-acts:kinds',
  'office-acts:waits',
  'office-acts:bounds',
  'office-money:common',
  'office:table',
  'office:confirm',
)

function Acts() {
  const texts = useTexts('office-acts:page')
  const [done, setDone] = useDone()
  const { columns, dialog } = useActColumns({ onDone: setDone, refresh: actTable.refresh })
  return (
    <>
      <Done text={done} />
      <OfficeTable
        table={actTable}
        label={texts.label}
        columns={columns}
        rowKey={({ id }) => id}
        counts={texts.counts}
        empty={texts.empty}
        filters={[
          {
            name: 'state',
            label: texts.state,
            none: texts.waiting,
            options: ACT_STATES.flatMap((state) =>
              state === 'waiting' ? [] : [{ value: state, text: texts.states[state] }],
            ),
          },
        ]}
      />
      {dialog}
      <Bounds onDone={setDone} />
    </>
  )
}

const OUTLINES = ['line', 'line', 'line'] as const

function Bounds({ onDone }: { onDone: (text: string) => void }) {
  const texts = useTexts('office-acts:bounds')
  const kinds = useTexts('office-acts:kinds')
  const [changed, setChanged] = useState<BoundName | null>(null)
  const cell = (bounds: BoundsData['bounds'], name: BoundName) => (
    <span className="bound">
      <Money amount={bounds.find((bound) => bound.name === name)?.value ?? 0} />
      <Button onClick={() => setChanged(name)}>{texts.change}</Button>
    </span>
  )
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      <p className="soft">{texts.text}</p>
      <LoadedStore store={$bounds} load={loadBounds} texts={texts} shapes={OUTLINES}>
        {({ bounds }) => (
          <ShortTable
            label={texts.title}
            rows={BOUNDED_KINDS}
            rowKey={(kind) => kind}
            columns={[
              { head: texts.kind, isWide: true, cell: (kind) => kinds[kind] },
              { head: texts.act, isWide: true, cell: (kind) => cell(bounds, `bound_${kind}`) },
              { head: texts.day, isWide: true, cell: (kind) => cell(bounds, `bound_${kind}_day`) },
            ]}
          />
        )}
      </LoadedStore>
      {changed && <ChangeBound name={changed} onDone={onDone} onClose={() => setChanged(null)} />}
    </section>
  )
}

interface ChangeBoundProps {
  name: BoundName
  onDone: (text: string) => void
  onClose: () => void
}

function ChangeBound({ name, onDone, onClose }: ChangeBoundProps) {
  const texts = useTexts('office-acts:bounds')
  const waits = useTexts('office-acts:waits')
  const common = useTexts('office-money:common')
  const { required: missing, maxLength: tooLong } = common.mistakes
  const field = useReason(STAFF_REASON_MAX_LENGTH, { label: common.reason, missing, tooLong })
  const [key] = useState(randomId)
  const [typed, setTyped] = useState('')
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const value = readAmount(typed, { least: 0, most: BOUND_MAX })
  return (
    <ConfirmDialog
      title={texts.dialog}
      submit={texts.submit}
      check={() => {
        setHasSubmitted(true)
        return field.check() && typeof value === 'number'
      }}
      onConfirm={async () => {
        if (typeof value !== 'number') return
        const isWaiting = await setBound({ name, amount: value, reason: field.reason }, key)
        onDone(isWaiting ? waits.text : texts.done)
      }}
      onClose={onClose}
    >
      <Field
        name="value"
        label={texts.value}
        error={hasSubmitted && typeof value !== 'number' ? common.mistakes.amount : undefined}
        inputMode="decimal"
        autoComplete="off"
        dir="ltr"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <TextField {...field.fieldProps} hint={common.reasonHint} rows={2} />
    </ConfirmDialog>
  )
}

export default island(Acts)
