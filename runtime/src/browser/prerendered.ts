/** Whether the browser makes the page ready beforehand, and the visitor has not opened it. An element of the page may have taken the name, but is not `true`. */
export const isPrerendered = (): boolean => (document as Document & { prerendering?: boolean }).prerendering === true;
