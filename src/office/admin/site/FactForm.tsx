import { useId, useRef, useState } from 'react'
import { getOfficeFacts, type OfficeFacts } from '../../../contract/office-facts.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { isLocale, LANGUAGE_NAMES } from '../../../i18n/locales.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { useTexts } from '../../../islands/parts/island.tsx'
import { Message } from '../../../islands/parts/Message.tsx'
import {
  FIRST_PEN,
  isColour,
  LOGO_MAX_BYTES,
  logoAddress,
  pensOf,
  readLogoName,
  SCHEMES,
} from '../../../rules/brand.ts'
import {
  FACT_KINDS,
  type FactField,
  type FactList,
  type FactValues,
  type ForEachFact,
  factFields,
  factMistakes,
  factRows,
  factRules,
  factValues,
  isAccount,
  isRowEmpty,
  type TextKind,
} from '../../../rules/fact-fields.ts'
import type { FactGroup } from '../../../rules/site-facts.ts'
import { ask } from '../../kit/backend.ts'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { SaveFoot } from '../../kit/forms/SaveState.tsx'
import { useRevisedForm } from '../../kit/forms/use-office-form.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { saveFacts, uploadLogo } from './facts.ts'
import { History } from './History.tsx'
import { type FieldOf, useFactMistakes } from './mistakes.ts'

/** The form for a group of facts; asks for confirmation if they say where customers send money. */
export function FactForm({ group, office }: { group: FactGroup; office: OfficeFacts }) {
  const texts = useTexts('office-site:facts')
  const groups = useTexts('office-site:groups')
  const money = useTexts('office-site:money')
  const hints = useTexts('office-site:factHints')
  const sentence = useFactMistakes(group)
  const label = useFactLabels(group)
  const keepAs = `facts ${group}`
  const { revision } = office.groups[group]
  const [initial] = useState(() => factValues(group, office.facts))
  const { ask: askFirst, dialog } = useQuestions()
  const form = useRevisedForm<string>({
    fields: factFields(group).map(({ path }) => path),
    initial,
    keepAs,
    revision,
    check: (values) => factMistakes(group, values),
    save: async (base, values) => (await saveFacts(group, base, values)).groups[group].revision,
    read: async () => {
      const now = await ask(getOfficeFacts, {})
      return { revision: now.groups[group].revision, values: factValues(group, now.facts) }
    },
    sentence,
    label,
    conflictTexts: useTexts('office-site:conflict'),
  })
  const { values, formProps } = form
  const movesMoney = isAccount(group)
  const account = values[group === 'bank' ? 'rib' : 'phone'] ?? ''
  return (
    <div className="site-form stack">
      {movesMoney && <p className="soft">{hints.money}</p>}
      {group === 'legal' && <p className="soft">{hints.legal}</p>}
      {group === 'brand' && <p className="soft">{hints.brand}</p>}
      {form.notices}
      <form
        {...formProps}
        className="stack"
        onSubmit={async (event) => {
          if (!movesMoney || !form.isValid || account === '') return formProps.onSubmit(event)
          event.preventDefault()
          askFirst({
            title: money.title,
            submit: money.yes,
            text: fillText(money.text, {
              account: isolate(account),
              holder: isolate(values.holder ?? ''),
            }),
            send: async () => form.retry(),
          })
        }}
      >
        <FactRows
          group={group}
          values={values}
          label={label}
          fieldOf={form.fieldOf}
          setValue={form.setValue}
        />
        <SaveFoot
          form={form}
          saved={fillText(texts.saved, { fact: groups[group] })}
          submit={texts.save}
        />
      </form>
      {dialog}
      <History subject={`facts ${group}`} revision={revision} label={label} />
    </div>
  )
}

/** Returns a function that labels a field: `addresses.0.fr` is "Adresse 1 · Français". */
function useFactLabels(group: FactGroup): (path: string) => string {
  const labels: ForEachFact<string> = useTexts('office-site:factFields')
  return (path) => {
    const [fact = '', ...rest] = path.split('.')
    const number = Number(factRules(group)[fact]?.list ? rest.shift() : 0) + 1
    const [ending] = rest
    const own = (labels[group] as Readonly<Record<string, string | Record<string, string>>>)[fact]
    const label = typeof own === 'object' ? own[ending ?? ''] : own
    const language = isLocale(ending) ? ` · ${LANGUAGE_NAMES[ending]}` : ''
    return fillText(label ?? fact, { number }) + language
  }
}

interface FactRowsProps {
  group: FactGroup
  values: FactValues
  label: (field: string) => string
  fieldOf: FieldOf
  setValue: (field: string, value: string) => void
}

function FactRows({ group, values, label, fieldOf, setValue }: FactRowsProps) {
  const add: Readonly<Record<FactList, string>> = useTexts('office-site:add')
  const hints: Readonly<Record<string, string>> = useTexts('office-site:factHints')
  const rows = factRows(group)
  const [added, setAdded] = useState<readonly string[]>([])
  // A row stays visible while the user clears its fields.
  const filledRows = useRef(new Set<string>())
  for (const row of rows) if (!isRowEmpty(row, values)) filledRows.current.add(row.path)
  const isShown = (path: string) => filledRows.current.has(path) || added.includes(path)
  return (
    <div className="stack gap-5">
      {rows.map(({ path, fact, isInList, fields }) => {
        const list = isInList ? rows.filter((row) => row.fact === fact) : []
        const isHidden = isInList && path !== list[0]?.path && !isShown(path)
        const next = list.find((row) => !isShown(row.path))
        const hasNext = path === list.at(-1)?.path && next !== undefined
        return (
          <div key={path} className="stack items-start gap-2" hidden={isHidden && !hasNext}>
            <div className="site-facts__fields tiles" hidden={isHidden}>
              {fields.map((field) => {
                const props = { label: label(field.path), ...fieldOf(field.path) }
                const onChoose = setValue.bind(null, field.path)
                const own = { value: values[field.path] ?? '', onChoose }
                if (field.kind === 'logo') return <LogoField key={field.path} {...props} {...own} />
                if (field.kind === 'colour') {
                  return <AccentField key={field.path} {...props} {...own} />
                }
                return <FactInput key={field.path} field={field} hint={hints[fact]} {...props} />
              })}
            </div>
            {hasNext && (
              <Button
                kind="plain"
                className="site-facts__add"
                onClick={() => setAdded([...added, next.path])}
              >
                {add[fact as FactList]}
              </Button>
            )}
          </div>
        )
      })}
    </div>
  )
}

type FactInputProps = ReturnType<FieldOf> & {
  field: FactField
  label: string
  hint: string | undefined
}

function FactInput({ field: { kind, language }, ...props }: FactInputProps) {
  const { isWords, isDigits }: Partial<TextKind> = FACT_KINDS[kind]
  return (
    <Field
      {...props}
      autoComplete="off"
      // Numbers and addresses run from left to right in every language.
      dir={isWords ? 'auto' : 'ltr'}
      lang={language ?? undefined}
      inputMode={isDigits ? 'tel' : 'text'}
    />
  )
}

type BrandFieldsProps = ReturnType<FieldOf> & {
  label: string
  value: string
  onChoose: (value: string) => void
}

function LogoField({ name, label, defaultValue, error, value, onChoose }: BrandFieldsProps) {
  const texts = useTexts('office-site:brand')
  const { alert, attempt, isBusy } = useAction()
  const [isTooLarge, setTooLarge] = useState(false)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const size = readLogoName(value)
  const problem = isTooLarge ? texts.logoTooLarge : error
  const upload = (file: File) =>
    attempt(async () => {
      setTooLarge(file.size > LOGO_MAX_BYTES)
      if (file.size <= LOGO_MAX_BYTES) onChoose(await uploadLogo(file))
    })
  return (
    <div className="brand-logo">
      <p className="field">
        <span id={`${id}-label`}>{label}</span>
        <Button
          aria-describedby={`${id}-label ${id}-hint`}
          isBusy={isBusy}
          onClick={() => input.current?.click()}
        >
          {texts.choose}
        </Button>
        <span className="field__hint" id={`${id}-hint`}>
          {texts.logoHint}
        </span>
      </p>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        accept=".svg,.png,image/svg+xml,image/png"
        onChange={({ target }) => target.files?.[0] && upload(target.files[0])}
      />
      {problem && <Message kind="line" text={problem} />}
      {/* React would reset an input of type `hidden` to its first value. */}
      <input type="text" hidden readOnly name={name} defaultValue={defaultValue} />
      {alert}
      {size ? (
        <p className="brand-logo__shown cluster gap-3">
          <img
            src={logoAddress(value)}
            alt={texts.logoShown}
            width={size.width}
            height={size.height}
          />
          <Button kind="plain" onClick={() => onChoose('')}>
            {texts.noLogo}
          </Button>
        </p>
      ) : (
        <p className="soft small">{texts.wordmark}</p>
      )}
    </div>
  )
}

function AccentField({ value, onChoose, ...field }: BrandFieldsProps) {
  const texts = useTexts('office-site:brand')
  const colour = value.trim().toLowerCase()
  const pens = isColour(colour) ? pensOf(colour) : null
  return (
    <div className="brand-accent">
      <Field
        {...field}
        hint={texts.accentHint}
        autoComplete="off"
        dir="ltr"
        placeholder={FIRST_PEN}
      />
      <label className="brand-accent__pick">
        <span className="visually-hidden">{texts.pick}</span>
        <input
          type="color"
          value={pens ? colour : FIRST_PEN}
          onChange={({ target }) => onChoose(target.value)}
        />
      </label>
      {pens && (
        <p className="brand-accent__shown cluster items-stretch">
          {(['light', 'dark'] as const).map((scheme) => (
            <span key={scheme} className="row gap-2">
              <svg viewBox="0 0 48 28" aria-hidden="true">
                <rect width="48" height="28" rx="4" fill={SCHEMES[scheme].surfaces[0]} />
                <rect x="4" y="4" width="40" height="20" rx="3" fill={pens[scheme].pen} />
                <path d="M10 14h28" stroke={SCHEMES[scheme].onPen} strokeWidth="3" />
              </svg>
              {texts[scheme]}
            </span>
          ))}
        </p>
      )}
      {pens && (pens.light.pen !== colour || pens.dark.pen !== colour) && (
        <p className="soft small">{texts.derived}</p>
      )}
    </div>
  )
}
