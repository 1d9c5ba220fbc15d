import '../../../../../src/layouts/intent-script.ts'
