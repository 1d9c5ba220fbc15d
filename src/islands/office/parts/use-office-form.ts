import { useStore } from '@nanostores/react'
import { type ChangeEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { createSaving, readUnsaved } from '../../../stores/office/saving.ts'
import type { Mistakes, Values } from '../../../stores/shared/form.ts'

export interface OfficeFormOptions<F extends string> {
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
 * saved. The server's errors are shown beside their fields. `fieldOf` returns the props of a field.
 */
export function useOfficeForm<F extends string>(options: OfficeFormOptions<F>) {
  const { fields, initial, keepAs, check = noMistakes<F>, sentence, isAutomatic = false } = options
  // The options of the last rendering, so that a save uses the newest callbacks.
  const latest = useRef(options)
  latest.current = options

  const [isRestored, setRestored] = useState(false)
  const [values, setValues] = useState(initial)
  const [leftFields, setLeftFields] = useState<ReadonlySet<F>>(new Set())
  const [saving] = useState(() =>
    createSaving<Values<F>>({
      keepAs,
      isAutomatic,
      ...(options.revision && { revision: options.revision }),
      save: (changed) => latest.current.save(changed),
    }),
  )
  const element = useRef<HTMLFormElement>(null)
  const state = useStore(saving.$state)
  const mistakes = check(values)
  const serverMistakes = state.phase === 'failed' ? state.problem.fields : {}
  const mistakeOf = (field: F) =>
    serverMistakes[field] ?? (leftFields.has(field) ? mistakes[field] : undefined)
  const isValid = fields.every((field) => !mistakes[field])

  useEffect(() => saving.open(), [saving])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mounting
  useEffect(() => {
    const restored = readKept(readUnsaved(keepAs)?.values, initial)
    if (!restored) return
    setRestored(true)
    fill(restored)
    change(restored)
  }, [])

  function fill(next: Values<F>): void {
    for (const field of fields) {
      const input = element.current?.elements.namedItem(field)
      if (input && 'value' in input) input.value = next[field]
    }
  }

  function change(next: Values<F>): void {
    setValues(next)
    const mistakes = check(next)
    saving.change(next, !fields.some((field) => mistakes[field]))
  }
  const read = () => {
    const data = new FormData(element.current ?? undefined)
    const entries = fields.map((field) => [field, String(data.get(field) ?? '')])
    return Object.fromEntries(entries) as Values<F>
  }
  const focusFirst = (mistakes: Readonly<Partial<Record<string, string>>>) => {
    const field = fields.find((each) => mistakes[each])
    const input = field && element.current?.elements.namedItem(field)
    const target = input instanceof RadioNodeList ? input[0] : input
    if (target instanceof HTMLElement) target.focus()
  }

  return {
    values,
    /** Whether the current values have no mistakes. */
    isValid,
    /** For `SaveState`. */
    saveState: {
      state,
      isWaiting: state.phase === 'changed' && !(isAutomatic && isValid),
      isUntouched: !isAutomatic && values === initial && state.phase === 'saved',
    },
    /** Whether the fields contain unsaved values of an earlier visit. */
    isRestored,
    /** Discards unsaved values and reloads the page with the server's values. */
    discard(): void {
      saving.discard()
      location.reload()
    },
    retry: () => void saving.saveNow(),
    /** Changes a field into which nobody types, such as the name of an uploaded file. */
    setValue(field: F, value: string): void {
      const next = { ...read(), [field]: value }
      fill(next)
      change(next)
    },
    fieldOf: (field: F) => {
      const mistake = mistakeOf(field)
      return {
        name: field,
        defaultValue: initial[field],
        error: mistake && sentence(field, mistake),
      }
    },
    formProps: {
      ref: element,
      method: 'post',
      noValidate: true,
      onChange: (_: ChangeEvent<HTMLFormElement>) => change(read()),
      onBlur: ({ target }: { target: EventTarget }) => {
        const field = fields.find((each) => each === (target as HTMLInputElement).name)
        if (field) setLeftFields((before) => new Set(before).add(field))
      },
      onSubmit: async (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        const next = read()
        setValues(next)
        setLeftFields(new Set(fields))
        const mistakes = check(next)
        if (fields.some((field) => mistakes[field])) return focusFirst(mistakes)
        saving.change(next, true)
        await saving.saveNow()
        const after = saving.$state.get()
        if (after.phase === 'failed') focusFirst(after.problem.fields)
      },
    } as const,
  }
}

const noMistakes = <F extends string>() => ({}) as Mistakes<F, string>

/** The kept values, if they have this form's fields and differ from the server's values. */
function readKept<F extends string>(value: unknown, initial: Values<F>): Values<F> | null {
  if (typeof value !== 'object' || value === null) return null
  const names = Object.keys(initial) as F[]
  const found = names.map((name) => [name, (value as Record<string, unknown>)[name]])
  if (!found.every(([, text]) => typeof text === 'string')) return null
  const values = Object.fromEntries(found) as Values<F>
  return names.some((name) => values[name] !== initial[name]) ? values : null
}
