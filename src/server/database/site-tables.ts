/** Tables of what administrators write of the shop itself. */
export interface SiteTables {
  /** Every version; rows are only added. */
  siteVersions: {
    /** `facts bank`, `page faq`, `text fr shop:title`. */
    subject: string
    revision: number
    /** null: the first version, of the repository. */
    value: unknown
    /** Which version it brings back. */
    restores: number | null
    actor: string
    madeAt: Date
  }
}
