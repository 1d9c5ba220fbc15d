declare module 'subset-font' {
  interface Options {
    targetFormat: 'truetype' | 'woff2'
    variationAxes: Record<string, number | { min: number; max: number }>
    keepAllGlyphs?: boolean
    keepFeatures?: string[]
    noHinting?: boolean
    dropTables?: string[]
  }
  /**
   * Cuts a font down to the glyphs that `text` needs; with `keepAllGlyphs`, `text` is undefined.
   */
  export default function subsetFont(
    font: Uint8Array,
    text: string | undefined,
    options: Options,
  ): Promise<Buffer>
}
