import type { ReactNode } from 'react'

interface Props {
  name: string
  title: string
  children: ReactNode
}

/** A part of a page in a frame, named by its heading. */
export function Section({ name, title, children }: Props) {
  return (
    <section className="panel stack" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      {children}
    </section>
  )
}
