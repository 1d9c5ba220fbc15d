import '../../../../../../src/islands/intent/island.ts'
