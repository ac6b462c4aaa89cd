import { Center, Loader } from '@mantine/core'
import { common } from '../strings/common.ts'

/** Waiting for a page. */
export function Loading({ label = common.loading }: { label?: string }) {
  return (
    <Center mih="60vh" aria-busy="true">
      <Loader size="sm" type="dots" aria-label={label} role="img" />
    </Center>
  )
}
