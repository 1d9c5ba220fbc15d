import '../../parts/icon.css'
import type { ComponentProps } from 'react'
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
} from '../../parts/drawings.ts'
import { Button } from './Button.tsx'

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

type IconName = keyof typeof DRAWINGS

/** An icon, hidden from screen readers, because the control around it has a name. */
export function Icon({ name }: { name: IconName }) {
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

interface ButtonProps extends Omit<ComponentProps<typeof Button>, 'kind' | 'look'> {
  icon: IconName
  /** What it does, for screen readers. */
  label: string
}

/** A button that shows only an icon. */
export function IconButton({ icon, label, ...button }: ButtonProps) {
  return (
    <Button look="icon-button" aria-label={label} {...button}>
      <Icon name={icon} />
    </Button>
  )
}
