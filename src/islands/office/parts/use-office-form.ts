import { useStore } from '@nanostores/react'
import { type ChangeEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { createSaving, readUnsaved } from '../../../stores/office/saving.ts'
import type { Mistakes, Values } from '../../../stores/shared/form.ts'

interface Options<F extends string> {
  /** The fields in the order of the page. */
  fields: readonly F[]
  /** The server's values; unsaved values of an earlier visit replace them. */
  initial: Values<F>
  /** The key under which this browser keeps unsaved values: names the form and what it edits. */
  keepAs: string
  /** The revision on which the values are based, if the server counts revisions. */
  revision?: () => number
  /** The mistakes that prevent saving, by field, as words that `sentence` knows. */
  check?: (values: Values<F>) => Mistakes<F, string>
  save: (values: Values<F>) => Promise<unknown>
  /** The sentence for a field's mistake, found by `check` or by the server (`required`, `min`, …). */
  sentence: (field: F, mistake: string) => string
  /** Whether it saves while the user types. */
  isAutomatic?: boolean
}

/**
 * A form of the office that edits values of the server. This browser keeps what is typed until it is
 * saved; what the server refuses is shown beside its field. `fieldOf` returns the props of a field.
 */
export function useOfficeForm<F extends string>(options: Options<F>) {
  const { fields, initial, keepAs, check = noMistakes<F>, sentence, isAutomatic = false } = options
  // The options of the last rendering, so that saving uses the newest revision.
  const latest = useRef(options)
  latest.current = options

  const [isRestored, setRestored] = useState(false)
  const [values, setValues] = useState(initial)
  const [left, setLeft] = useState<ReadonlySet<F>>(new Set())
  const [saving] = useState(() =>
    createSaving<Values<F>>({
      keepAs,
      isAutomatic,
      ...(options.revision && { revision: options.revision }),
      save: (given) => latest.current.save(given),
    }),
  )
  const element = useRef<HTMLFormElement>(null)
  const state = useStore(saving.$state)
  const wrong = check(values)
  const refused = state.phase === 'failed' ? state.problem.fields : {}
  const mistakeOf = (field: F) => refused[field] ?? (left.has(field) ? wrong[field] : undefined)
  const isRight = fields.every((field) => !wrong[field])

  useEffect(() => saving.open(), [saving])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on mounting
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
    /** Whether it can be saved as it stands. */
    isRight,
    /** For `SaveState`. */
    saveState: {
      state,
      isWaiting: state.phase === 'changed' && !(isAutomatic && isRight),
      isUntouched: !isAutomatic && values === initial && state.phase === 'saved',
    },
    /** The fields contain unsaved values of an earlier visit. */
    isRestored,
    /** Puts the server's values back. */
    discard(): void {
      saving.discard()
      location.reload()
    },
    retry: () => void saving.saveNow(),
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
        if (field) setLeft((before) => new Set(before).add(field))
      },
      onSubmit: async (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        const next = read()
        setValues(next)
        setLeft(new Set(fields))
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

/** The kept values, if they fit this form and differ from the server's. */
function readKept<F extends string>(value: unknown, initial: Values<F>): Values<F> | null {
  if (typeof value !== 'object' || value === null) return null
  const names = Object.keys(initial) as F[]
  const found = names.map((name) => [name, (value as Record<string, unknown>)[name]])
  if (!found.every(([, text]) => typeof text === 'string')) return null
  const values = Object.fromEntries(found) as Values<F>
  return names.some((name) => values[name] !== initial[name]) ? values : null
}
