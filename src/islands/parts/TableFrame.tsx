import './table.css'
import type { ComponentProps } from 'react'
import { useMedia } from './use-media.ts'

/** Phones are narrower than this, in pixels. */
const PHONE = 768

interface Props extends ComponentProps<'table'> {
  /** Narrower windows, in pixels, have a card for each row. */
  cardsBelow?: number | undefined
}

/** The box and the element of every table. */
export function TableFrame({ cardsBelow = PHONE, ...table }: Props) {
  const isCards = useMedia(`(width < ${cardsBelow}px)`)
  return (
    <div className="table-wrap">
      <table className={isCards ? 'table table--cards' : 'table'} {...table} />
    </div>
  )
}
