import './icon.css'
import {
  check,
  close,
  device,
  down,
  download,
  eye,
  heart,
  hidden,
  logout,
  MIRRORED,
  more,
  pause,
  plus,
  previous,
  refresh,
  search,
  send,
  trash,
} from './drawings.ts'

const DRAWINGS = {
  device,
  check,
  close,
  down,
  download,
  eye,
  heart,
  hidden,
  logout,
  pause,
  more,
  plus,
  previous,
  refresh,
  search,
  send,
  trash,
}

/** An icon, hidden from screen readers, because the control around it has a name. */
export function Icon({ name }: { name: keyof typeof DRAWINGS }) {
  return (
    <svg
      className={MIRRORED.has(name) ? 'icon icon--mirror' : 'icon'}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path d={DRAWINGS[name]} />
    </svg>
  )
}
