import { useStore } from '@nanostores/react'
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
import { createWriting } from '../../../stores/office/site/writing.ts'
import { RestoredNotice, SaveFoot } from '../parts/SaveState.tsx'
import { useOfficeForm } from '../parts/use-office-form.ts'
import { SiteConflict } from '../site/SiteConflict.tsx'
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
  const [writing] = useState(() =>
    createWriting({
      keepAs,
      revision,
      save: (base, values) =>
        saveEntry(list, id, { revision: base, values: values as EntryValues }),
      read: () => readEntry(list, id),
    }),
  )
  const conflict = useStore(writing.$conflict)
  const form = useOfficeForm<EntryField>({
    fields,
    initial,
    keepAs,
    revision: writing.revision,
    check: (values) => entryMistakes(fields, values),
    save: writing.save,
    sentence,
  })
  const { formProps } = form
  return (
    <>
      {form.isRestored && <RestoredNotice onDiscard={form.discard} />}
      {conflict && (
        <SiteConflict
          theirs={conflict}
          mine={Object.fromEntries(fields.map((field) => [field, form.values[field]]))}
          label={label}
          onKeep={() => {
            writing.keepMine()
            form.retry()
          }}
          onTake={form.discard}
        />
      )}
      <form {...formProps} className="stack">
        <EntryFields fields={fields} fieldOf={form.fieldOf} />
        <SaveFoot form={form} submit={texts.submit} />
      </form>
    </>
  )
}
