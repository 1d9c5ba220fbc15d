declare module 'subset-font' {
  interface Options {
    targetFormat: 'truetype' | 'woff2'
    variationAxes: Record<string, number | { min: number; max: number }>
    keepAllGlyphs?: boolean
    keepFeatures?: string[]
    noHinting?: boolean
    dropTables?: string[]
  }
  /** Cuts a font down to what `text` needs; `keepAllGlyphs` takes no text. */
  export default function subsetFont(
    font: Uint8Array,
    text: string | undefined,
    options: Options,
  ): Promise<Buffer>
}
