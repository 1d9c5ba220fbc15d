import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { OfficeFacts } from '../../../contract/office-facts.ts'
import { fillText } from '../../../i18n/format.ts'
import { isLocale, LANGUAGE_NAMES } from '../../../i18n/locales.ts'
import type { FactGroup } from '../../../rules/site-facts.ts'
import {
  FACT_FIELDS,
  factMistakes,
  readFacts,
  saveFacts,
  valuesOf,
} from '../../../stores/office/site/facts.ts'
import { createWriting } from '../../../stores/office/site/writing.ts'
import { Field } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { RestoredNotice, SaveState } from '../parts/SaveState.tsx'
import { useOfficeForm } from '../parts/use-office-form.ts'
import { History } from './History.tsx'
import { useMistakes } from './mistakes.ts'
import { SiteConflict } from './SiteConflict.tsx'

/** A group of facts; where money is sent to is asked about once more. */
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
  const [isAsked, setAsked] = useState(false)
  const [writing] = useState(() =>
    createWriting({
      keepAs,
      revision,
      save: async (over, values) => (await saveFacts(group, over, values)).groups[group].revision,
      read: async () => {
        const now = await readFacts()
        return { revision: now.groups[group].revision, values: valuesOf(group, now.facts) }
      },
    }),
  )
  const conflict = useStore(writing.$conflict)
  const form = useOfficeForm<string>({
    fields: FACT_FIELDS[group],
    initial,
    keepAs,
    revision: writing.revision,
    check: (values) => factMistakes(group, values),
    save: writing.save,
    sentence,
  })
  const { saveState, values, formProps } = form
  const movesMoney = group === 'bank' || group === 'd17'
  const account = values[group === 'bank' ? 'rib' : 'phone'] ?? ''
  return (
    <section className="site-facts__group">
      <h2>{groups[group]}</h2>
      {movesMoney && <p className="soft">{fields.moneyHint}</p>}
      {form.isRestored && <RestoredNotice onDiscard={form.discard} />}
      {conflict && (
        <SiteConflict
          theirs={conflict}
          mine={values}
          label={label}
          onKeep={() => {
            writing.keepMine()
            form.retry()
          }}
          onTake={form.discard}
        />
      )}
      <form
        {...formProps}
        className="stack"
        onSubmit={async (event) => {
          if (!movesMoney || !form.isRight) return formProps.onSubmit(event)
          event.preventDefault()
          setAsked(true)
        }}
      >
        <div className="site-facts__fields">
          {FACT_FIELDS[group].map((field) => (
            <FactField key={field} field={field} label={label(field)} {...form.fieldOf(field)} />
          ))}
        </div>
        <div className="save-foot">
          <SaveState {...saveState} onRetry={form.retry} />
          <button
            type="submit"
            className="button button--primary"
            aria-busy={saveState.state.phase === 'saving'}
          >
            {texts.save}
          </button>
        </div>
      </form>
      {isAsked && (
        <ConfirmDialog
          title={money.title}
          submit={money.yes}
          onConfirm={async () => form.retry()}
          onClose={() => setAsked(false)}
        >
          <p>
            {fillText(money.text, {
              account: `\u2068${account}\u2069`,
              holder: `\u2068${values.holder ?? ''}\u2069`,
            })}
          </p>
        </ConfirmDialog>
      )}
      <History subject={`facts ${group}`} revision={revision} label={label} />
    </section>
  )
}

type Given = { name: string; defaultValue: string | undefined; error: string | undefined }

/** Numbers and addresses run from left to right in every language. */
const LEFT_TO_RIGHT = /^(phones|phone|email|rib|followers|place|links\.\d\.url)/

function FactField({
  field,
  label,
  defaultValue,
  ...given
}: Given & { field: string; label: string }) {
  const fields = useTexts('office-site:factFields')
  const language = field.split('.').at(-1)
  return (
    <Field
      {...given}
      label={label}
      defaultValue={defaultValue}
      autoComplete="off"
      dir={LEFT_TO_RIGHT.test(field) ? 'ltr' : 'auto'}
      lang={isLocale(language) ? language : undefined}
      inputMode={/^(phone|rib|followers)/.test(field) ? 'tel' : 'text'}
      {...(field === 'email' && { hint: fields.emailHint })}
    />
  )
}

/** What each field is called: `addresses.0.fr` is "Adresse 1 · Français". */
function useFactLabels(group: FactGroup): (field: string) => string {
  const texts = useTexts('office-site:factFields')
  return (field) => {
    const [name = '', at = '', part] = field.split('.')
    const number = { number: Number(at) + 1 }
    const language = part ?? at
    const ending = isLocale(language) ? ` · ${LANGUAGE_NAMES[language]}` : ''
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
