import { atom, computed } from 'nanostores'
import type { Problem } from './problem.ts'

/** The values of a form, as typed. */
export type Values<F extends string> = Readonly<Record<F, string>>

/** Several choices in one value, separated by commas. */
export const joined = (chosen: readonly (string | number)[]): string => chosen.join(',')
export const parted = (value: string): string[] => value.split(',').filter(Boolean)

/** The mistakes by field; fields without a mistake are missing. */
export type Mistakes<F extends string, M extends string> = Readonly<Partial<Record<F, M>>>

/**
 * The result of sending a form: it is done, or another page opens (until then the form stays busy),
 * or the server refused it, perhaps with mistakes of fields.
 */
export type Sent<F extends string, M extends string, P> =
  | 'done'
  | 'leaving'
  | { problem: P; mistakes?: Mistakes<F, M> }

/** A form: its fields in the order of the page, their mistakes, and its submission. */
export type Form<F extends string, M extends string, P = Problem> = ReturnType<
  typeof createForm<F, M, P>
>

/**
 * Creates a form with these fields. `check` returns the mistakes in the values. A mistake is shown
 * once its field was left or the form was submitted; a mistake found by the server is shown until
 * the next submission.
 */
export function createForm<F extends string, M extends string, P = Problem>(
  fields: readonly F[],
  check: (values: Values<F>) => Mistakes<F, M>,
  initial = Object.fromEntries(fields.map((field) => [field, ''])) as Values<F>,
) {
  const NONE = {} as Mistakes<F, M>
  const $form = atom({
    values: initial,
    left: new Set<F>() as ReadonlySet<F>,
    refused: NONE,
    problem: null as P | null,
    isBusy: false,
  })
  const change = (to: Partial<ReturnType<typeof $form.get>>) => {
    $form.set({ ...$form.get(), ...to })
  }

  const $state = computed($form, ({ values, left, refused, problem, isBusy }) => {
    const wrong = check(values)
    const mistakeOf = (field: F) => refused[field] ?? (left.has(field) ? wrong[field] : undefined)
    return {
      values,
      /** The mistakes to show. */
      mistakes: Object.fromEntries(
        fields.flatMap((field) => (mistakeOf(field) ? [[field, mistakeOf(field)]] : [])),
      ) as Mistakes<F, M>,
      /** The first field with a visible mistake. */
      firstWrong: fields.find(mistakeOf),
      /** Whether the form has no mistakes. */
      isRight: fields.every((field) => !wrong[field]),
      /** Why the last submission was refused. */
      problem,
      isBusy,
    }
  })

  return {
    fields,
    $state,
    enter: (values: Values<F>) => change({ values }),
    leave: (field: F) => change({ left: new Set($form.get().left).add(field) }),
    forgetProblem: () => change({ problem: null }),
    /** Sends the values, unless they have mistakes or are being sent already. */
    async submit(send: (values: Values<F>) => Promise<Sent<F, M, P>>): Promise<void> {
      if ($form.get().isBusy) return
      change({ left: new Set(fields), refused: NONE, problem: null })
      if (!$state.get().isRight) return
      change({ isBusy: true })
      const sent = await send($form.get().values)
      if (sent === 'leaving') return
      if (sent === 'done') return change({ isBusy: false })
      change({ isBusy: false, problem: sent.problem, refused: sent.mistakes ?? NONE })
    },
  }
}
