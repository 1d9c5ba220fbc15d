import { useId, useRef, useState } from 'react'
import type { OfficeFacts } from '../../../contract/office-facts.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { isLocale, LANGUAGE_NAMES } from '../../../i18n/locales.ts'
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
import type { FactGroup } from '../../../rules/site-facts.ts'
import { Button } from '../../kit/Button.tsx'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { SaveFoot } from '../../kit/forms/SaveState.tsx'
import { useRevisedForm } from '../../kit/forms/use-office-form.tsx'
import { useAction } from '../../kit/use-action.tsx'
import {
  FACT_FIELDS,
  FACT_ROWS,
  type FactValues,
  factMistakes,
  isRowEmpty,
  readFacts,
  saveFacts,
  uploadLogo,
  valuesOf,
} from './facts.ts'
import { History } from './History.tsx'
import { type FieldOf, useMistakes } from './mistakes.ts'

/** The form for a group of facts; asks for confirmation if they say where customers send money. */
export function FactForm({ group, office }: { group: FactGroup; office: OfficeFacts }) {
  const texts = useTexts('office-site:facts')
  const groups = useTexts('office-site:groups')
  const money = useTexts('office-site:money')
  const fields = useTexts('office-site:factFields')
  const sentence = useMistakes()
  const label = useFactLabels(group)
  const keepAs = `facts ${group}`
  const { revision } = office.groups[group]
  const [initial] = useState(() => valuesOf(group, office.facts))
  const { ask, dialog } = useQuestions()
  const form = useRevisedForm<string>({
    fields: FACT_FIELDS[group],
    initial,
    keepAs,
    revision,
    check: (values) => factMistakes(group, values),
    save: async (base, values) => (await saveFacts(group, base, values)).groups[group].revision,
    read: async () => {
      const now = await readFacts()
      return { revision: now.groups[group].revision, values: valuesOf(group, now.facts) }
    },
    sentence,
    label,
    conflictTexts: useTexts('office-site:conflict'),
  })
  const { values, formProps } = form
  const movesMoney = group === 'bank' || group === 'd17'
  const account = values[group === 'bank' ? 'rib' : 'phone'] ?? ''
  return (
    <div className="site-form stack">
      {movesMoney && <p className="soft">{fields.moneyHint}</p>}
      {group === 'legal' && <p className="soft">{fields.legalHint}</p>}
      {group === 'brand' && <p className="soft">{fields.brandHint}</p>}
      {form.notices}
      <form
        {...formProps}
        className="stack"
        onSubmit={async (event) => {
          if (!movesMoney || !form.isValid || account === '') return formProps.onSubmit(event)
          event.preventDefault()
          ask({
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

type Legal = 'taxNumber' | 'register' | 'vatRate' | 'exemption' | 'stamp'

/** Returns a function that labels a field: `addresses.0.fr` is "Adresse 1 · Français". */
export function useFactLabels(group: FactGroup): (field: string) => string {
  const texts = useTexts('office-site:factFields')
  return (field) => {
    const [name = '', at = '', part] = field.split('.')
    const number = { number: Number(at) + 1 }
    const language = part ?? at
    const ending = isLocale(language) ? ` · ${LANGUAGE_NAMES[language]}` : ''
    if (group === 'brand') {
      if (name === 'name') return texts.shopName + ending
      if (name === 'slogan') return texts.slogan + ending
      if (name === 'credit') return at === 'url' ? texts.creditUrl : texts.creditName
      return name === 'logo' ? texts.logo : texts.accent
    }
    if (group === 'legal') return texts[name === 'name' ? 'legalName' : (name as Legal)] + ending
    if (name === 'phones') return fillText(texts.phones, number)
    if (name === 'addresses') return fillText(texts.addresses, number) + ending
    if (name === 'links') return fillText(part === 'url' ? texts.linkUrl : texts.linkName, number)
    if (name === 'place') return at === 'latitude' ? texts.latitude : texts.longitude
    if (name === 'name') return texts.bankName + ending
    if (name === 'phone') return texts.d17Phone
    if (name === 'school') return texts.school + ending
    if (name === 'followers') return texts.followers
    if (name === 'email') return texts.email
    return group === 'bank' && name === 'rib' ? texts.rib : texts.holder
  }
}

interface FactRowsProps {
  group: FactGroup
  values: FactValues
  label: (field: string) => string
  fieldOf: FieldOf
  setValue: (field: string, value: string) => void
}

export function FactRows({ group, values, label, fieldOf, setValue }: FactRowsProps) {
  const texts = useTexts('office-site:add')
  const rows = FACT_ROWS[group]
  const [added, setAdded] = useState<readonly string[]>([])
  // A row stays visible while the user clears its fields.
  const filledRows = useRef(new Set<string>())
  for (const { name, fields } of rows) if (!isRowEmpty(fields, values)) filledRows.current.add(name)
  const isShown = (name: string) => filledRows.current.has(name) || added.includes(name)
  const last = (list: string) => rows.findLast((row) => row.list === list)?.name
  return (
    <div className="site-facts__rows">
      {rows.map(({ name, list, fields }) => {
        const isHidden = list !== null && !name.endsWith('.0') && !isShown(name)
        const next = rows.find((row) => row.list === list && !isShown(row.name))
        const hasNext = list !== null && name === last(list) && next !== undefined
        return (
          <div key={name} className="site-facts__block" hidden={isHidden && !hasNext}>
            <div className="site-facts__fields" hidden={isHidden}>
              {fields.map((field) => {
                const props = { label: label(field), ...fieldOf(field) }
                const own = { value: values[field] ?? '', onChoose: setValue.bind(null, field) }
                if (field === 'logo') return <LogoField key={field} {...props} {...own} />
                if (field === 'accent') return <AccentField key={field} {...props} {...own} />
                return <FactField key={field} field={field} {...props} />
              })}
            </div>
            {hasNext && (
              <Button
                kind="plain"
                className="site-facts__add"
                onClick={() => setAdded([...added, next.name])}
              >
                {texts[list]}
              </Button>
            )}
          </div>
        )
      })}
    </div>
  )
}

/** Numbers and addresses run from left to right in every language. */
const LEFT_TO_RIGHT =
  /^(phones|phone|email|rib|followers|place|taxNumber|register|vatRate|stamp|links\.\d\.url|credit\.url)/

function FactField({
  field,
  label,
  defaultValue,
  ...fieldProps
}: ReturnType<FieldOf> & { field: string; label: string }) {
  const fields = useTexts('office-site:factFields')
  const language = field.split('.').at(-1)
  return (
    <Field
      {...fieldProps}
      label={label}
      defaultValue={defaultValue}
      autoComplete="off"
      dir={LEFT_TO_RIGHT.test(field) ? 'ltr' : 'auto'}
      lang={isLocale(language) ? language : undefined}
      inputMode={/^(phone|rib|followers)/.test(field) ? 'tel' : 'text'}
      {...(field === 'email' && { hint: fields.emailHint })}
      {...(field === 'vatRate' && { hint: fields.vatHint })}
      {...(field === 'stamp' && { hint: fields.stampHint })}
    />
  )
}

type BrandFieldsProps = ReturnType<FieldOf> & {
  label: string
  value: string
  onChoose: (value: string) => void
}

export function LogoField({ name, label, defaultValue, error, value, onChoose }: BrandFieldsProps) {
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
        <p className="brand-logo__shown">
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

export function AccentField({ value, onChoose, ...field }: BrandFieldsProps) {
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
        <p className="brand-accent__shown">
          {(['light', 'dark'] as const).map((scheme) => (
            <span key={scheme}>
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
