import type { ReactNode } from 'react'

export function Piece({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack gallery__piece">
      <h2 dir="ltr">{title}</h2>
      {children}
    </section>
  )
}
