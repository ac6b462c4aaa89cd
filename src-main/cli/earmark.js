#!/usr/bin/env node
// `npm run earmark`: the command line, built first if necessary.
import { ensureBuilt, requireNode } from './prepare.js'

requireNode()
ensureBuilt()
await import(new URL('../../out/main/earmark.js', import.meta.url).href)
