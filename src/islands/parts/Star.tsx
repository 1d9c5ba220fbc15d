import '../../parts/stars.css'
import { star } from '../../parts/drawings.ts'

/** A star of an average or of a rating; the text beside it gives the number. */
export function Star() {
  return (
    <svg className="star" viewBox="0 0 24 24" aria-hidden="true">
      <path d={star} />
    </svg>
  )
}
