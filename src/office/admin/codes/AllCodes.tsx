import { useStore } from '@nanostores/react'
import { findFeaturable } from '../../../contract/office-catalogue.ts'
import { getCommissions } from '../../../contract/office-commissions.ts'
import * as contract from '../../../contract/office-discount-codes.ts'
import { fillText, isolate, priceText } from '../../../i18n/format.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { CODE_SCOPES, mostCost, mostOff } from '../../../rules/discount-codes.ts'
import type { Millimes } from '../../../rules/money.ts'
import { NewCode } from '../../codes/CodeForm.tsx'
import { useCodeColumns } from '../../codes/list.tsx'
import { type CodeValues, reductionIn, usesIn } from '../../codes/terms.ts'
import { ask as call } from '../../kit/backend.ts'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { useLoaded } from '../../kit/loaded-store.tsx'
import { resource } from '../../kit/loader.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'
import { useOutcome } from '../acts/outcome.ts'

const codeTable = tableOf(contract.listCodes)

/** For the teachers' share. */
const commissions = resource(getCommissions)

/** Documents for sale, or teachers, by a text; none without one. */
async function find(kind: 'documents' | 'teachers', q: string) {
  if (q === '') return []
  const found = await call(findFeaturable, { params: { kind }, query: { q } })
  return found.map(({ id, title }) => ({ id, name: title }))
}

const { island, useTexts } = adminTexts(
  'office-codes:all',
  'office-codes:list',
  'office-codes:form',
  'office-codes:example',
  'office-codes:cost',
  'office-acts:waits',
  'catalogue:niveaux',
  'share:ways',
  'office:table',
  'office:confirm',
  'office:form',
)

function AllCodes() {
  const { passOnText, byShop, by, ...texts } = useTexts('office-codes:all')
  const list = useTexts('office-codes:list')
  const { done } = useTexts('office-codes:form')
  const outcome = useOutcome()
  const { ask, dialog, message, say } = useQuestions()
  const shop = useLoaded(commissions)?.shop
  const { page } = useStore(codeTable.$state)
  const { columns, passOnDialog } = useCodeColumns({
    ask,
    passOnText,
    giverOf: ({ teacher }) => (teacher ? fillText(by, { name: isolate(teacher.name) }) : byShop),
    stop: async ({ id }) => codeTable.put(await call(contract.stopCode, { params: { id } })),
  })
  return (
    <>
      <p className="soft measure">{texts.lead}</p>
      {message}
      <NewCode
        keepAs="code of the shop"
        scopes={CODE_SCOPES}
        find={find}
        sharePercent={shop?.percent}
        isOfShop
        make={async (code, { reason }) => {
          const body = { ...code, reason: reason.trim() }
          const made = await codeTable.after(call(contract.createCode, { body }))
          return outcome(made, done)
        }}
        say={say}
      >
        {(values) => page && <Cost values={values} left={page.leftAlone} />}
      </NewCode>
      <OfficeTable table={codeTable} columns={columns} texts={{ ...texts, counts: list.counts }} />
      {passOnDialog}
      {dialog}
    </>
  )
}

/** What a code costs the shop, and whether a second administrator has to confirm it. */
function Cost({ values, left }: { values: CodeValues; left: Millimes }) {
  const locale = useLocale()
  const texts = useTexts('office-codes:cost')
  const off = reductionIn(values)
  const anOrder = off && mostOff(off)
  // Without a bound of an order, no such code is made.
  if (!off || anOrder === null) return null
  const uses = usesIn(values)
  const whole = mostCost(off, uses)
  const money = (amount: Millimes) => priceText(locale, amount)
  const needsSecond = whole === null || whole > left
  return (
    <section className="code-form__example stack gap-2">
      <h3>{texts.title}</h3>
      <output className="stack gap-0">
        <span>{fillText(texts.sale, { amount: money(anOrder) })}</span>
        <span>
          {whole === null
            ? texts.wholeOpen
            : fillText(texts.whole, { amount: money(whole), uses: uses ?? 0 })}
        </span>
        <strong>{fillText(needsSecond ? texts.second : texts.alone, { left: money(left) })}</strong>
      </output>
    </section>
  )
}

export default island(AllCodes)
