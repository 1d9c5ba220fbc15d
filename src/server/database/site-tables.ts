/** Tables of texts and facts that administrators write about the shop. */
export interface SiteTables {
  /** Every version; rows are only added. */
  siteVersions: {
    /** `facts bank`, `page faq`, `text fr shop:title`. */
    subject: string
    revision: number
    /** null: the first version, from the repository. */
    value: unknown
    /** The version that it restores. */
    restores: number | null
    actor: string
    madeAt: Date
  }
  logos: {
    /** The name in the logo's address, with its size. */
    name: string
    /** An SVG or PNG of ours. */
    content: Buffer
    /** The logo within a square of 512 pixels, as PNG, from which icons are made. */
    mark: Buffer
    madeAt: Date
  }
}
