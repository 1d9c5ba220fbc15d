import './codes.css'
import { type ReactNode, useEffect, useState } from 'react'
import type * as contract from '../../contract/office-discount-codes.ts'
import { listClasses } from '../../contract/references.ts'
import { fillText, groupedNumber, priceText } from '../../i18n/format.ts'
import { Button } from '../../islands/parts/Button.tsx'
import { Field } from '../../islands/parts/Field.tsx'
import { useLocale, useTexts } from '../../islands/parts/island.tsx'
import { nameIn } from '../../rules/catalogue-names.ts'
import { CODE_LENGTH } from '../../rules/code-text.ts'
import {
  CODE_SCOPE_MAX,
  type CodeScope,
  codePrices,
  suggestedCode,
} from '../../rules/discount-codes.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../rules/ledger.ts'
import { MAX_PRICE, type Millimes } from '../../rules/money.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../../rules/pasted-text.ts'
import { teacherShare } from '../../rules/shares.ts'
import { parted } from '../../stores/shared/form.ts'
import { serverNow } from '../../stores/shared/server-clock.ts'
import { ask as call } from '../kit/backend.ts'
import { readAmount } from '../kit/forms/amount.ts'
import { Choices } from '../kit/forms/Choices.tsx'
import { NUMBER } from '../kit/forms/field-table.tsx'
import { SelectField, TextField } from '../kit/forms/fields.tsx'
import { SaveState } from '../kit/forms/SaveState.tsx'
import { useOfficeForm } from '../kit/forms/use-office-form.tsx'
import { useAction, useLatest } from '../kit/use-action.tsx'
import {
  CODE_FIELDS,
  type CodeField,
  type CodeValues,
  codeIn,
  EMPTY_CODE,
  mistakesIn,
  PERCENT,
  reductionIn,
  USES,
} from './terms.ts'

/** A document, class or teacher that a code may be for. */
interface Target {
  readonly id: number
  readonly name: string
}

interface Props {
  /** The name under which this browser keeps what is not made yet. */
  keepAs: string
  /** What a code may be for. */
  scopes: readonly CodeScope[]
  /** Finds documents or teachers by a text; without one, those that are offered first. */
  find: (scope: 'documents' | 'teachers', q: string) => Promise<readonly Target[]>
  /** The part of a price that its teacher gets, in percent, if it is known. */
  sharePercent: number | undefined
  /** Whose code it is: a teacher's share is of what is paid, or of the price before a code of the shop. */
  isOfShop: boolean
  /** Shown below the example: what the code costs, and what administrators need. */
  children?: ((values: CodeValues) => ReactNode) | undefined
  /** Makes the code; resolves to what is said of it. */
  make: (code: contract.NewCode, values: CodeValues) => Promise<string>
  /** Says what was done, or nothing. */
  say: (text: string) => void
}

const SUGGESTED_LENGTH = 6

/** The button that opens the form of a new code, and the form. */
export function NewCode(props: Props) {
  const { make } = useTexts('office-codes:list')
  const [isOpen, setOpen] = useState(false)
  const turn = (text: string, isNext: boolean) => {
    props.say(text)
    setOpen(isNext)
  }
  return isOpen ? (
    <CodeForm {...props} onDone={(text) => turn(text, false)} />
  ) : (
    <p>
      <Button kind="primary" onClick={() => turn('', true)}>
        {make}
      </Button>
    </p>
  )
}

/** The form, with what it means for an example as it is typed. */
function CodeForm(props: Props & { onDone: (text: string) => void }) {
  const { keepAs, scopes, find, sharePercent, isOfShop, children, make, onDone } = props
  const texts = useTexts('office-codes:form')
  const sentence = useSentence()
  const { fieldOf, formProps, notices, retry, saveState, setValue, values } =
    useOfficeForm<CodeField>({
      fields: CODE_FIELDS,
      initial: isOfShop ? { ...EMPTY_CODE, usesPerPerson: '1' } : EMPTY_CODE,
      keepAs,
      check: (entered) => mistakesIn(entered, { now: serverNow(), hasReason: isOfShop }),
      save: async (entered) => onDone(await make(codeIn(entered, serverNow()), entered)),
      sentence,
    })
  const suggest = () => {
    const random = crypto.getRandomValues(new Uint8Array(SUGGESTED_LENGTH))
    setValue('code', suggestedCode(random))
  }
  const isPercent = values.kind === 'percent'
  return (
    <form {...formProps} className="code-form stack gap-5">
      <h2>{texts.title}</h2>
      {notices}
      <div className="tiles">
        <div className="stack gap-2">
          <Field
            {...fieldOf('code')}
            label={texts.code}
            hint={fillText(texts.codeHint, CODE_LENGTH)}
            className="code-form__code"
            dir="ltr"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={CODE_LENGTH.most}
          />
          <Button onClick={suggest}>{texts.suggest}</Button>
        </div>
        <SelectField
          {...fieldOf('kind')}
          label={texts.kind}
          options={(['percent', 'amount'] as const).map((value) => ({
            value,
            text: texts.kinds[value],
          }))}
        />
        {/* Hidden and not left out, so that what an earlier visit typed into them comes back. */}
        <div hidden={!isPercent}>
          <Field {...fieldOf('percent')} {...NUMBER} inputMode="numeric" label={texts.percent} />
        </div>
        <div hidden={!isPercent}>
          <Field
            {...fieldOf('atMost')}
            {...NUMBER}
            label={texts.atMost}
            hint={isOfShop ? undefined : texts.noAmount}
          />
        </div>
        <div hidden={isPercent}>
          <Field {...fieldOf('amount')} {...NUMBER} label={texts.amount} />
        </div>
        <Field {...fieldOf('from')} type="date" label={texts.from} hint={texts.fromHint} />
        <Field {...fieldOf('until')} type="date" label={texts.until} hint={texts.untilHint} />
        <Field
          {...fieldOf('usesMax')}
          {...NUMBER}
          inputMode="numeric"
          label={texts.usesMax}
          hint={texts.usesHint}
        />
        <Field
          {...fieldOf('usesPerPerson')}
          {...NUMBER}
          inputMode="numeric"
          label={texts.usesPerPerson}
          hint={isOfShop ? undefined : texts.usesHint}
        />
        <Field
          {...fieldOf('leastTotal')}
          {...NUMBER}
          label={texts.leastTotal}
          hint={texts.leastTotalHint}
        />
        <SelectField
          {...fieldOf('scope')}
          label={texts.scope}
          options={scopes.map((value) => ({ value, text: texts.scopes[value] }))}
          // What was chosen of another kind is none of this one.
          onChange={() => setValue('ids', '')}
        />
      </div>
      {/* Not `type="hidden"`, because React resets its value at every rendering. */}
      <input type="text" hidden name="ids" defaultValue="" />
      {values.scope !== 'all' && (
        <Targets
          key={values.scope}
          scope={values.scope as Exclude<CodeScope, 'all'>}
          value={values.ids}
          error={fieldOf('ids').error}
          find={find}
          onChoose={(ids) => setValue('ids', ids)}
        />
      )}
      <Example values={values} sharePercent={sharePercent} isOfShop={isOfShop} />
      {children?.(values)}
      {isOfShop && <Reason {...fieldOf('reason')} />}
      <div className="save-foot cluster split gap-5 lines-1">
        {saveState.state.phase === 'failed' && <SaveState {...saveState} onRetry={retry} />}
        <Button onClick={() => onDone('')}>{texts.close}</Button>
        <Button type="submit" kind="primary" isBusy={saveState.state.phase === 'saving'}>
          {texts.submit}
        </Button>
      </div>
    </form>
  )
}

function Reason(field: { name: string; defaultValue: string; error: string | undefined }) {
  const { label, hint } = useTexts('office:confirm').reason
  return <TextField {...field} label={label} hint={hint} rows={2} />
}

function useSentence(): (field: CodeField, mistake: string) => string {
  const locale = useLocale()
  const { mistakes } = useTexts('office-codes:form')
  return (field, mistake) => {
    const name = field === 'code' && mistake !== 'required' ? 'code' : mistake
    const text = (mistakes as Readonly<Record<string, string>>)[name] ?? mistakes.invalid
    if (field === 'code') return fillText(text, CODE_LENGTH)
    if (field === 'percent') return fillText(text, PERCENT)
    if (mistake === 'whole') {
      return fillText(text, { ...USES, most: groupedNumber(locale, USES.most) })
    }
    return fillText(text, { most: field === 'ids' ? CODE_SCOPE_MAX : STAFF_REASON_MAX_LENGTH })
  }
}

interface TargetsProps {
  scope: Exclude<CodeScope, 'all'>
  /** The ids of those chosen, as a comma-separated list. */
  value: string
  error: string | undefined
  find: Props['find']
  onChoose: (value: string) => void
}

/** The choice of what a code is for: of all classes, or of those documents or teachers that are found. */
function Targets({ scope, value, error, find, onChoose }: TargetsProps) {
  const locale = useLocale()
  const texts = useTexts('office-codes:form')
  const classNames = useTexts('catalogue:niveaux')
  const { alert, attempt, isBusy } = useAction()
  const [known, setKnown] = useState<readonly Target[]>([])
  const [found, setFound] = useState<readonly Target[] | null>(null)
  const [typed, setTyped] = useState('')
  const show = (targets: readonly Target[]) => {
    setKnown((before) => [...before, ...targets])
    setFound(targets)
  }
  const search = useLatest(
    attempt,
    async (q: string) => scope !== 'classes' && show(await find(scope, q)),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for each kind
  useEffect(() => {
    if (scope !== 'classes') return void search('')
    void attempt(async () => {
      const classes = (await call(listClasses, {})).filter(({ retired }) => retired !== 'unused')
      show(classes.map((one) => ({ id: one.id, name: nameIn(locale, one, classNames) })))
    })
  }, [])
  const chosen = parted(value)
  const shown = new Map(
    [...chosen.map((id) => ({ id: Number(id), name: `#${id}` })), ...known].map((each) => [
      String(each.id),
      each.name,
    ]),
  )
  const offered = new Set([...chosen, ...(found ?? []).map(({ id }) => String(id))])
  return (
    <div className="stack gap-3">
      {scope !== 'classes' && (
        <search className="search-form cluster items-end gap-3">
          <Field
            name="find"
            type="search"
            dir="auto"
            autoComplete="off"
            label={texts.find[scope]}
            maxLength={SEARCH_TEXT_MAX_LENGTH}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // Enter would make the code.
              event.preventDefault()
              void search(typed.trim())
            }}
          />
          <Button isBusy={isBusy} onClick={() => search(typed.trim())}>
            {texts.search}
          </Button>
        </search>
      )}
      {alert}
      <p role="status" className={found?.length === 0 && typed ? 'soft' : 'visually-hidden'}>
        {found?.length === 0 && typed ? texts.nothing : ''}
      </p>
      <Choices
        name="targets"
        legend={texts.ids[scope]}
        most={CODE_SCOPE_MAX}
        value={value}
        error={error}
        options={[...shown]
          .filter(([id]) => offered.has(id))
          .map(([id, name]) => ({ value: id, text: name }))}
        onChoose={onChoose}
      />
    </div>
  )
}

const EXAMPLE_PRICE = '10'

type ExampleProps = Pick<Props, 'sharePercent' | 'isOfShop'> & { values: CodeValues }

/** What a buyer pays for a document at an example price, and what teacher and shop get of it. */
function Example({ values, sharePercent, isOfShop }: ExampleProps) {
  const locale = useLocale()
  const texts = useTexts('office-codes:example')
  const [typed, setTyped] = useState(EXAMPLE_PRICE)
  const off = reductionIn(values)
  const sentences = () => {
    const price = readAmount(typed, { least: 0, most: MAX_PRICE })
    if (!off || typeof price !== 'number') return [texts.unknown]
    const [paid = price] = codePrices([{ price }], off)
    const fill = (text: string, amounts: Readonly<Record<string, Millimes>>) =>
      fillText(
        text,
        Object.fromEntries(
          Object.entries(amounts).map(([name, amount]) => [name, priceText(locale, amount)]),
        ),
      )
    const ofBuyer = fill(texts.paid, { paid, price })
    if (sharePercent === undefined) return [ofBuyer]
    const before = teacherShare(price, sharePercent)
    if (!isOfShop) {
      return [ofBuyer, fill(texts.own, { share: teacherShare(paid, sharePercent), before })]
    }
    const rest = paid - before
    const parts = { share: before, rest: Math.abs(rest), before: price - before }
    return [ofBuyer, fill(rest < 0 ? texts.loss : texts.shop, parts)]
  }
  return (
    <section className="code-form__example stack gap-2">
      <h3>{texts.title}</h3>
      <Field
        {...NUMBER}
        name="example"
        autoComplete="off"
        label={texts.price}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <output className="stack gap-0">
        {sentences().map((each) => (
          <span key={each}>{each}</span>
        ))}
      </output>
    </section>
  )
}
