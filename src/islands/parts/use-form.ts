import { useStore } from '@nanostores/react'
import { type FocusEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { Drafts } from '../../stores/shared/drafts.ts'
import type { Form, Sent, Values } from '../../stores/shared/form.ts'

interface Options<F extends string, M extends string, P> {
  make: () => Form<F, M, P>
  send: (values: Values<F>) => Promise<Sent<F, M, P>>
  /** Shows the mistake of a field as soon as the user leaves it, not only on submission. */
  checksOnLeave?: boolean
  /** Told about each change that the user makes. */
  onChange?: (values: Values<F>) => void
  /** Keeps what is typed over a log-in, until it was sent or the form is closed. */
  draft?: Draft
}

/** The drafts of a part of the site, and the name of a form in them. */
type Draft = readonly [drafts: Drafts, form: string]

/**
 * The state of a form and the props of its `<form>` element. React does not control the inputs, so
 * that what was typed, or filled in by the browser, before the script arrived counts too.
 */
export function useForm<F extends string, M extends string, P>({
  make,
  send,
  checksOnLeave = false,
  onChange,
  draft,
}: Options<F, M, P>) {
  const [form] = useState(make)
  const element = useRef<HTMLFormElement>(null)
  const state = useStore(form.$state)

  const readValues = () => {
    const data = new FormData(element.current ?? undefined)
    const values = form.fields.map((field) => [field, String(data.get(field) ?? '')])
    form.enter(Object.fromEntries(values) as Values<F>)
  }
  const change = () => {
    readValues()
    draft?.[0].keep(draft[1], form.$state.get().values)
    onChange?.(form.$state.get().values)
  }
  const leave = (name: string) => {
    const field = form.fields.find((each) => each === name)
    if (checksOnLeave && field) form.leave(field)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script arrives
  useEffect(() => {
    const kept = draft?.[0].read(draft[1])
    if (kept) fill(kept as Partial<Values<F>>)
    else readValues()
    // A filled-in field may have been left already, and a disabled button must say why.
    for (const field of form.fields) if (form.$state.get().values[field]) leave(field)
    return () => draft?.[0].close(draft[1])
  }, [])

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    readValues()
    await form.submit(async (values) => {
      const sent = await send(values)
      if (sent === 'done') draft?.[0].forget(draft[1])
      return sent
    })
    focusOn(form.$state.get().firstWrong)
  }
  const focusOn = (name: F | undefined) => {
    const field = name && element.current?.elements.namedItem(name)
    const input = field instanceof RadioNodeList ? field[0] : field
    if (input instanceof HTMLElement) input.focus()
  }
  const fill = (values: Partial<Values<F>>) => {
    for (const field of form.fields) {
      const input = element.current?.elements.namedItem(field)
      const value = values[field]
      if (input && 'value' in input && value !== undefined) input.value = value
    }
    change()
  }
  return {
    form,
    ...state,
    focusOn,
    /** Changes the inputs of these fields, as if the user had. */
    fill,
    /**
     * `post`, so that no password gets into a URL if the form is sent before the script arrives.
     */
    formProps: {
      ref: element,
      method: 'post',
      noValidate: true,
      onSubmit,
      onChange: change,
      onBlur: (event: FocusEvent<HTMLFormElement>) =>
        leave((event.target as unknown as HTMLInputElement).name),
    } as const,
  }
}
