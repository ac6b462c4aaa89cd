#!/usr/bin/env node
// `npm run earmark`: the command line, built first where it has to be.
import { requireNode } from './node-version.js'

requireNode()
const { ensureBuilt } = await import('./build.js')
ensureBuilt()
await import(new URL('../../out/main/earmark.js', import.meta.url).href)
