import { useMantineColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { useSettings } from '../shared/settings-data.ts'

/** Shows the theme in settings. The browser keeps a copy of it, for the moment before the settings are read. */
export function useSavedTheme(loggedIn: boolean): void {
  const { setColorScheme } = useMantineColorScheme()
  const theme = useSettings(loggedIn).data?.theme

  useEffect(() => {
    if (theme) setColorScheme(theme === 'system' ? 'auto' : theme)
  }, [theme, setColorScheme])
}
