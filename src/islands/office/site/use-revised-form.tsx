import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { createWriting, type WritingOptions } from '../../../stores/office/site/writing.ts'
import { RestoredNotice } from '../parts/SaveState.tsx'
import { type OfficeFormOptions, useOfficeForm } from '../parts/use-office-form.ts'
import { SiteConflict } from './SiteConflict.tsx'

type Options<F extends string> = Omit<OfficeFormOptions<F>, 'revision' | 'save'> &
  WritingOptions & { label: (field: string) => string }

/**
 * An office form of values with a revision, which other administrators may change meanwhile.
 * `notices`, above the fields, shows unsaved values of an earlier visit and an edit conflict.
 */
export function useRevisedForm<F extends string>(options: Options<F>) {
  const { fields, label } = options
  const [writing] = useState(() => createWriting(options))
  const conflict = useStore(writing.$conflict)
  const { revision, save } = writing
  const form = useOfficeForm<F>({ ...options, revision, save })
  const keepMine = () => {
    writing.keepMine()
    form.retry()
  }
  const notices = (
    <>
      {form.isRestored && <RestoredNotice onDiscard={form.discard} />}
      {conflict && (
        <SiteConflict
          theirs={conflict}
          mine={Object.fromEntries(fields.map((field) => [field, form.values[field]]))}
          label={label}
          onKeep={keepMine}
          onTake={form.discard}
        />
      )}
    </>
  )
  return { ...form, notices, revision }
}
