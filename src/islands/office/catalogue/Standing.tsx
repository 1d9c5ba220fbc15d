import type { Entry } from '../../../contract/office-catalogue.ts'
import type { ListName } from '../../../rules/catalogue-lists.ts'
import { refreshLists, retireEntry } from '../../../stores/office/catalogue/lists.ts'
import { useAttempt } from '../parts/use-attempt.tsx'
import { useTexts } from './texts.ts'

/** Retires or restores an entry. Needs no confirmation, because the change can be reversed. */
export function Standing({ list, entry }: { list: ListName; entry: Entry }) {
  const texts = useTexts('office-catalogue:lists')
  const { alert, attempt, isBusy } = useAttempt()
  const { isRetired } = entry
  const change = () =>
    attempt(
      () => retireEntry(list, entry, !isRetired),
      // Another administrator was faster: reload the entry, and show who changed it.
      ({ done }) => done && refreshLists().catch(() => {}),
    )
  return (
    <div className="lists__standing">
      {alert}
      <p role="status">{isRetired ? texts.isRetired : texts.isOffered}</p>
      <button
        type="button"
        className="button"
        aria-busy={isBusy}
        disabled={isBusy}
        onClick={change}
      >
        {isRetired ? texts.offer : texts.retire}
      </button>
    </div>
  )
}
