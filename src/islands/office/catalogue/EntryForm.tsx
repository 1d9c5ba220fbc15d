import { useState } from 'react'
import type { Entry } from '../../../contract/office-catalogue.ts'
import type { ListName } from '../../../rules/catalogue-lists.ts'
import {
  type EntryField,
  type EntryValues,
  entryMistakes,
  fieldsOf,
  readEntry,
  saveEntry,
  valuesOf,
} from '../../../stores/office/catalogue/lists.ts'
import { SaveFoot } from '../parts/SaveState.tsx'
import { useRevisedForm } from '../parts/use-office-form.tsx'
import { EntryFields, useMistakes } from './EntryFields.tsx'
import { useLabels, useTexts } from './texts.ts'

/** The form for an entry's names and a cover's colour. */
export function EntryForm({ list, entry }: { list: ListName; entry: Entry }) {
  const texts = useTexts('office:form')
  const sentence = useMistakes()
  const label = useLabels()
  const { id, revision } = entry
  const keepAs = `${list} ${id}`
  const fields = fieldsOf(list, false)
  const [initial] = useState(() => valuesOf(entry))
  const form = useRevisedForm<EntryField>({
    fields,
    initial,
    keepAs,
    revision,
    check: (values) => entryMistakes(fields, values),
    save: (base, values) => saveEntry(list, id, { revision: base, values: values as EntryValues }),
    read: () => readEntry(list, id),
    sentence,
    label,
    conflictTexts: useTexts('office-site:conflict'),
  })
  const { formProps } = form
  return (
    <>
      {form.notices}
      <form {...formProps} className="stack">
        <EntryFields fields={fields} fieldOf={form.fieldOf} />
        <SaveFoot form={form} submit={texts.submit} />
      </form>
    </>
  )
}
