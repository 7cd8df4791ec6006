/** Apart from the schemas, which would be most of what a browser loads with it. */
export const FILE_ID = /^[A-Za-z0-9_-]{22}$/;
