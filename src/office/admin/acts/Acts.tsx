import type { Bounds as BoundsData } from '../../../contract/office-acts.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { ACT_STATES, BOUND_MAX, BOUNDED_KINDS, type BoundName } from '../../../rules/two-people.ts'
import { readAmount } from '../../kit/forms/amount.ts'
import { NUMBER } from '../../kit/forms/field-table.tsx'
import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { adminTexts } from '../../kit/office-texts.ts'
import { Money } from '../../kit/tables/cells.tsx'
import { OfficeTable, stateFilter } from '../../kit/tables/OfficeTable.tsx'
import { ShortTable } from '../../kit/tables/ShortTable.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { actTable, bounds, setBound } from './acts.ts'
import { useActColumns } from './columns.tsx'
import { useOutcome } from './outcome.ts'

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
  const { message, say } = useAction()
  const { columns, dialog } = useActColumns({ onDone: say, refresh: actTable.refresh })
  return (
    <>
      {message}
      <OfficeTable
        table={actTable}
        columns={columns}
        texts={texts}
        filters={[stateFilter(ACT_STATES, 'waiting', texts)]}
      />
      {dialog}
      <Bounds onDone={say} />
    </>
  )
}

const OUTLINES = ['line', 'line', 'line'] as const

function Bounds({ onDone }: { onDone: (text: string) => void }) {
  const texts = useTexts('office-acts:bounds')
  const kinds = useTexts('office-acts:kinds')
  const { ask, dialog } = useQuestions(onDone)
  const questionAbout = useQuestionAbout()
  const cell = (bounds: BoundsData['bounds'], name: BoundName) => (
    <span className="bound">
      <Money amount={bounds.find((bound) => bound.name === name)?.value ?? 0} />
      <Button onClick={() => ask(questionAbout(name))}>{texts.change}</Button>
    </span>
  )
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      <p className="soft">{texts.text}</p>
      <LoadedStore from={bounds} texts={texts} shapes={OUTLINES}>
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
      {dialog}
    </section>
  )
}

function useQuestionAbout() {
  const texts = useTexts('office-acts:bounds')
  const outcome = useOutcome()
  const { mistakes } = useTexts('office-money:common')
  const reason = useReason()(STAFF_REASON_MAX_LENGTH)
  const amountIn = (text: string) => readAmount(text, { least: 0, most: BOUND_MAX })
  const value = {
    ...NUMBER,
    name: 'value',
    label: texts.value,
    check: (text: string) => typeof amountIn(text) !== 'number' && mistakes.amount,
  } as const
  return (name: BoundName) => ({
    title: texts.dialog,
    submit: texts.submit,
    fields: [value, reason],
    send: async (given: { value: string; reason: string }, key: string) => {
      const amount = Number(amountIn(given.value))
      return outcome(await setBound({ name, amount, reason: given.reason }, key), texts.done)
    },
  })
}

export default island(Acts)
