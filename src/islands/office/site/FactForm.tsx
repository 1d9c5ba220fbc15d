import { useState } from 'react'
import type { OfficeFacts } from '../../../contract/office-facts.ts'
import { fillText } from '../../../i18n/format.ts'
import type { FactGroup } from '../../../rules/site-facts.ts'
import {
  FACT_FIELDS,
  factMistakes,
  readFacts,
  saveFacts,
  valuesOf,
} from '../../../stores/office/site/facts.ts'
import { useTexts } from '../../parts/island.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { SaveFoot } from '../parts/SaveState.tsx'
import { useRevisedForm } from '../parts/use-office-form.tsx'
import { FactRows } from './FactRows.tsx'
import { History } from './History.tsx'
import { useMistakes } from './mistakes.ts'
import { useFactLabels } from './use-fact-labels.ts'

/** The form for a group of facts; asks for confirmation if they say where customers send money. */
export function FactForm({ group, office }: { group: FactGroup; office: OfficeFacts }) {
  const texts = useTexts('office-site:facts')
  const money = useTexts('office-site:money')
  const fields = useTexts('office-site:factFields')
  const sentence = useMistakes()
  const label = useFactLabels(group)
  const keepAs = `facts ${group}`
  const { revision } = office.groups[group]
  const [initial] = useState(() => valuesOf(group, office.facts))
  const [isConfirming, setConfirming] = useState(false)
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
      {group === 'brand' && <p className="soft">{fields.brandHint}</p>}
      {form.notices}
      <form
        {...formProps}
        className="stack"
        onSubmit={async (event) => {
          if (!movesMoney || !form.isValid || account === '') return formProps.onSubmit(event)
          event.preventDefault()
          setConfirming(true)
        }}
      >
        <FactRows
          group={group}
          values={values}
          label={label}
          fieldOf={form.fieldOf}
          setValue={form.setValue}
        />
        <SaveFoot form={form} submit={texts.save} />
      </form>
      {isConfirming && (
        <ConfirmDialog
          title={money.title}
          submit={money.yes}
          onConfirm={async () => form.retry()}
          onClose={() => setConfirming(false)}
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
    </div>
  )
}
