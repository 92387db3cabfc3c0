export const STYLE = `:root{color-scheme:light dark;--line:#8884;--soft:#8881;--link:light-dark(#1d4f91,#9dc1f5)}
*{box-sizing:border-box}
body{margin:0;background:Canvas;color:CanvasText;font:1rem/1.5 system-ui,sans-serif}
a{color:var(--link)}
:focus-visible{outline:3px solid #5b7fb4;outline-offset:2px}
.skip,.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{width:auto;height:auto;clip-path:none;padding:.5rem 1rem;background:Canvas;z-index:1}
.page{display:grid;grid-template-columns:20rem minmax(0,1fr)}
.side{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line)}
.side ul{list-style:none;margin:0 0 1rem;padding:0}
.side li a{display:block;padding:.125rem .25rem;font-size:.875rem;text-decoration:none;overflow-wrap:anywhere}
.side h2{margin:.5rem 0 0;font-size:1rem}
input{width:100%;padding:.5rem;border:1px solid #767676;border-radius:.375rem;font:inherit}
label{font-weight:bold}
main{padding:1rem 2rem;max-width:70rem}
article{padding:.25rem 0 1rem;border-bottom:1px solid var(--line)}
h3{margin:1rem 0 0;font-size:1.0625rem;overflow-wrap:anywhere}
h3 a{text-decoration:none}
.method{display:inline-block;min-width:3.75rem;font:bold .875em ui-monospace,monospace}
.path,code,pre{font-family:ui-monospace,monospace}
code,pre{font-size:.875rem}
article p{margin:.25rem 0}
summary{cursor:pointer;padding:.25rem 0;color:var(--link)}
.event{margin-left:1rem}
pre{max-height:30rem;overflow:auto;margin:.25rem 0;padding:.75rem;background:var(--soft);border:1px solid var(--line);border-radius:.375rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
th,td{padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:normal}
thead th{font-weight:bold}
td code{overflow-wrap:anywhere}
[hidden]{display:none!important}
@media (max-width:50rem){.page{display:block}.side{position:static;height:auto;max-height:40vh;border-right:0}main{padding:1rem}}
`;
