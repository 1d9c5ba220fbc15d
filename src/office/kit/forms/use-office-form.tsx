import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { useForm } from '../../../islands/parts/use-form.ts'
import { createForm, type Mistakes, type Values } from '../../../stores/shared/form.ts'
import type { Problem } from '../../../stores/shared/problem.ts'
import { ConflictChoice, type ConflictTexts } from './ConflictChoice.tsx'
import { RestoredNotice } from './SaveState.tsx'
import { createSaving, readUnsaved } from './saving.ts'
import { createWriting, type WritingOptions } from './writing.ts'

interface OfficeFormOptions<F extends string> {
  /** The fields in their order on the page. */
  fields: readonly F[]
  /** The server's values; unsaved values of an earlier visit replace them. */
  initial: Values<F>
  /**
   * The key under which this browser keeps unsaved values; it identifies the form and its object.
   */
  keepAs: string
  /** The revision on which the values are based, if the server counts revisions. */
  revision?: () => number
  /** Returns the mistakes that prevent saving, by field, as keys for `sentence`. */
  check?: (values: Values<F>) => Mistakes<F, string>
  save: (values: Values<F>) => Promise<unknown>
  /**
   * Returns the message for a field's mistake from `check` or the server (`required`, `min`, …).
   */
  sentence: (field: F, mistake: string) => string
  /** Whether the form saves while the user types. */
  isAutomatic?: boolean
}

/**
 * A form of the office that edits values of the server. This browser keeps the input until it is
 * saved. The server's errors are shown beside their fields. `fieldOf` returns the props of a field;
 * `notices`, above the fields, says that they contain unsaved values of an earlier visit.
 */
export function useOfficeForm<F extends string>(options: OfficeFormOptions<F>) {
  const { fields, initial, keepAs, sentence, isAutomatic = false } = options
  // The options of the last rendering, so that a save uses the newest callbacks.
  const latest = useRef(options)
  latest.current = options

  const [isRestored, setRestored] = useState(false)
  const [isTouched, setTouched] = useState(false)
  const [saving] = useState(() =>
    createSaving<Values<F>>({
      keepAs,
      isAutomatic,
      ...(options.revision && { revision: options.revision }),
      save: (changed) => latest.current.save(changed),
    }),
  )
  const state = useStore(saving.$state)
  const { form, formProps, values, mistakes, isRight, fill, focusOn } = useForm<F, string, Problem>(
    {
      make: () =>
        createForm(
          fields,
          (entered) => latest.current.check?.(entered) ?? noMistakes<F>(),
          initial,
        ),
      checksOnLeave: true,
      onChange: (changed) => {
        setTouched(true)
        saving.change(changed, form.$state.get().isRight)
      },
      send: async (submitted) => {
        saving.change(submitted, true)
        await saving.saveNow()
        const after = saving.$state.get()
        if (after.phase === 'failed') focusOn(fields.find((field) => after.problem.fields[field]))
        return 'done'
      },
    },
  )
  const serverMistakes = state.phase === 'failed' ? state.problem.fields : {}

  useEffect(() => saving.open(), [saving])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mounting
  useEffect(() => {
    const restored = readKept(readUnsaved(keepAs)?.values, initial)
    if (!restored) return
    setRestored(true)
    fill(restored)
  }, [])

  /** Discards unsaved values and reloads the page with the server's values. */
  const discard = () => {
    saving.discard()
    location.reload()
  }
  return {
    values,
    /** Whether the current values have no mistakes. */
    isValid: isRight,
    /** For `SaveState`. */
    saveState: {
      state,
      isWaiting: state.phase === 'changed' && !(isAutomatic && isRight),
      isUntouched: !isAutomatic && !isTouched && state.phase === 'saved',
    },
    notices: isRestored && <RestoredNotice onDiscard={discard} />,
    discard,
    retry: () => void saving.saveNow(),
    /** Changes a field into which nobody types, such as the name of an uploaded file. */
    setValue: (field: F, value: string) => fill({ [field]: value } as Partial<Values<F>>),
    fieldOf: (field: F) => {
      const mistake = serverMistakes[field] ?? mistakes[field]
      return {
        name: field,
        defaultValue: initial[field],
        error: mistake && sentence(field, mistake),
      }
    },
    formProps,
  }
}

type RevisedFormOptions<F extends string> = Omit<OfficeFormOptions<F>, 'revision' | 'save'> &
  Omit<WritingOptions<F>, 'loaded'> & {
    /** The revision of `initial`. */
    revision: number
    conflictTexts: ConflictTexts
    label: (field: F) => string
    /** The text that shows a value; by default, the value. */
    textOf?: (field: F, value: string) => string
  }

/**
 * An office form of values with a revision, which another administrator or another tab may change
 * meanwhile. `notices` also shows an edit conflict.
 */
export function useRevisedForm<F extends string>(options: RevisedFormOptions<F>) {
  const { initial, label, conflictTexts, textOf = (_: F, value: string) => value } = options
  const [writing] = useState(() =>
    createWriting({ ...options, loaded: { revision: options.revision, values: initial } }),
  )
  const theirs = useStore(writing.$conflict)
  const { revision, save } = writing
  const form = useOfficeForm<F>({ ...options, revision, save })
  const notices = (
    <>
      {form.notices}
      {theirs && (
        <ConflictChoice
          texts={conflictTexts}
          saved={theirs}
          differences={writing.differences(form.values, theirs.values).map((field) => ({
            label: label(field),
            mine: textOf(field, form.values[field]),
            theirs: textOf(field, theirs.values[field] ?? ''),
          }))}
          onKeep={() => {
            writing.keepMine()
            form.retry()
          }}
          onTake={form.discard}
        />
      )}
    </>
  )
  return { ...form, notices, revision }
}

const noMistakes = <F extends string>() => ({}) as Mistakes<F, string>

/** The kept values, if they differ from the server's; those of an earlier version may lack a field. */
function readKept<F extends string>(value: unknown, initial: Values<F>): Values<F> | null {
  if (typeof value !== 'object' || value === null) return null
  const names = Object.keys(initial) as F[]
  const found = value as Partial<Record<F, unknown>>
  const values = Object.fromEntries(
    names.map((name) => [name, typeof found[name] === 'string' ? found[name] : initial[name]]),
  ) as Values<F>
  return names.some((name) => values[name] !== initial[name]) ? values : null
}
