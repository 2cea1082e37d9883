var Ge=new CSSStyleSheet;Ge.replaceSync('.text{overflow-wrap:anywhere}.text>*{margin-block:8px}.text h4{font-size:1rem}.text :is(ul,ol){padding-inline-start:1.6em}.text blockquote{margin-inline:0;padding-inline-start:12px;border-inline-start:3px solid var(--_line)}.text code{font-family:ui-monospace,monospace;font-size:.92em}.text pre{margin:0;padding:12px;overflow-x:auto}.text .code{display:flex;flex-wrap:wrap;justify-content:end;background:var(--_paper);border:1px solid var(--_line);border-radius:8px}.text .code pre{flex:1 1 100%;min-width:0;order:1;padding-block-start:0}.text .code .copy{border:0;background:none;font-size:.85rem;color:var(--_accent)}.text .code .cites{order:2;padding:0 8px 8px}.text .table{overflow-x:auto}.text table{border-collapse:collapse}.text :is(th,td){border:1px solid var(--_line);padding:4px 8px;text-align:start;vertical-align:top;overflow-wrap:normal}.host{color:var(--_soft);font-size:.9em}.cites{white-space:nowrap}.cite{position:relative;min-height:20px;min-width:20px;padding:0 5px;margin-inline-start:3px;border-radius:6px;font-size:.72rem;line-height:1.5;vertical-align:super;color:var(--_accent)}.cite:after{content:"";position:absolute;inset:-12px -3px}:is(.cite,.icon,.title,.chips button):hover{background:var(--_shade)}.sources{margin:10px 0 0;padding-block:4px 0;padding-inline-start:1.8em;border-block-start:1px solid var(--_line);font-size:.92rem}.sources button{border:0;padding:2px 6px;background:none;color:var(--_accent);text-align:start;text-decoration:underline}.nearest{border:0;margin:0;list-style:disc}[data-refused] .state{font-size:1rem;color:var(--_ink)}[data-refused] p{margin-block:10px 0;color:var(--_soft)}.help{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-block-start:8px}.contact{display:inline-flex;align-items:center;min-height:44px}.icon{display:inline-flex;align-items:center;justify-content:center;gap:4px;padding:8px;border-color:transparent;background:none;color:var(--_soft);font-size:.85rem}.icon svg{width:20px;height:20px;fill:currentColor;flex:none}.icon[aria-pressed=true]{color:var(--_accent)}.asked{display:flex;justify-content:flex-end;align-items:center;gap:2px;margin-block:20px 8px}.asked .query{margin:0}.asked .icon{opacity:0}.asked:is(:hover,:focus-within) .icon{opacity:1}@media(hover:none){.asked .icon{opacity:1}}.tools{margin-block:6px -8px;margin-inline:-8px}.tools .buttons{display:flex;flex-wrap:wrap}.feedback{padding-inline:8px;font-size:.92rem}.feedback p{margin-block:6px}.feedback p:empty{display:none}.feedback [role=group]{display:grid;gap:8px;padding-block-end:10px;justify-items:start}.feedback textarea{width:100%}.chips{display:flex;flex-wrap:wrap;gap:8px}.chips [aria-pressed=true]{border-color:var(--_accent);box-shadow:inset 0 0 0 1px var(--_accent)}.related{display:flex;flex-wrap:wrap;gap:8px;margin-block-start:14px}.related button{font-size:.92rem;text-align:start}.welcome .related{justify-content:center;margin-block-start:20px}.popover{position:fixed;z-index:5;max-width:min(26rem,calc(100vw - 24px));max-height:45vh;overflow:auto;padding:10px 12px;border:1px solid var(--_line);border-radius:10px;background:var(--_paper);box-shadow:0 6px 24px #00000040;font-size:.92rem}.popover p{margin-block:6px 0}.passage{white-space:pre-wrap;overflow-wrap:anywhere}.support{color:var(--_soft);font-size:.9rem}mark{background:var(--_mark);color:inherit;border-radius:2px}.panel{position:relative;container-type:inline-size}aside.source{position:absolute;inset:0;z-index:4;display:flex;flex-direction:column;background:var(--_paper)}.source-head{display:flex;align-items:center;gap:8px;padding-block:8px;padding-inline:16px 8px;border-block-end:1px solid var(--_line)}.source-head h3{flex:1;margin:0;font-size:1rem;overflow-wrap:anywhere;outline-offset:4px}.source-body{flex:1;overflow-y:auto;overscroll-behavior:contain;padding:4px 16px 16px}.source-body .trail{color:var(--_soft);font-size:.9rem}.source-body .passage{margin:12px 0;padding:12px 14px;border-inline-start:3px solid var(--_accent);background:var(--_shade);border-radius:8px}.source-body a{display:inline-flex;align-items:center;min-height:44px}[type=search]{width:100%;margin-block:12px 0}.sessions{list-style:none;margin:8px 0;padding:0}.sessions li{display:flex;flex-wrap:wrap;align-items:center;gap:0 8px;padding-block:8px 2px;border-block-end:1px solid var(--_line)}.sessions :is(.title,input){flex:1 1 60%;min-width:0;text-align:start;overflow-wrap:anywhere}.sessions .title{border-color:transparent;background:none;padding-inline:8px}.sessions :is([aria-current],[data-pinned] .title){font-weight:600}.sessions .buttons{flex:1 1 100%}@container (min-width: 832px){aside.source{inset-inline-start:auto;width:24rem;border-inline-start:1px solid var(--_line)}.panel[data-source]>:is(header,.connection,.scroll,.below,form){margin-inline-end:24rem}}@media print{.tools,.related,aside.source,.asked .icon{display:none}}@media(forced-colors:active){mark{forced-color-adjust:none}[aria-pressed=true]{outline:2px solid Highlight}}');var xt="colloquy-ask";function bt(r){let e=new URL(location.href);return e.hash=`${xt}=${encodeURIComponent(r)}`,e.href}function kt(){let r=new URLSearchParams(location.hash.slice(1)).get(xt);return r===null?"":(history.replaceState(history.state,"",location.pathname+location.search),r.slice(0,1e3).trim())}var vt={text:"",before:"",citations:[],supports:[],references:[],steps:[],relatedQuestions:[],skippedReasons:[],groundingScore:void 0,error:void 0},Y={name:"",state:"QUEUED",position:void 0,resets:0,...vt};function q(r){return r==="IN_PROGRESS"||r==="STREAMING"}function A(r){return r==="SUCCEEDED"||r==="FAILED"}function re(r,e){let t=e.response?.answer??{},n=e.reset?{...r,...vt,before:r.text||r.before,resets:r.resets+1}:r,s={...n,name:t.name||n.name,state:t.state??n.state,position:e.position??n.position};return A(s.state)?{...s,...In(t),error:e.error}:{...s,...Mn(n,t)}}function In(r){return{before:"",text:r.answerText??"",citations:r.citations??[],supports:r.groundingSupports??[],references:r.references??[],steps:r.steps??[],relatedQuestions:r.relatedQuestions??[],skippedReasons:r.answerSkippedReasons??[],groundingScore:r.groundingScore}}function Mn(r,e){return{text:r.text+(e.answerText??""),citations:e.citations?[...r.citations,...e.citations]:r.citations,supports:e.groundingSupports??r.supports,references:e.references??r.references,steps:e.steps??r.steps,relatedQuestions:e.relatedQuestions??r.relatedQuestions}}function wt(r){return r?.details?.find(e=>e.reason)?.reason}function c(r,e={},...t){let n=document.createElement(r);for(let[s,i]of Object.entries(e))i!==void 0&&(/^(?:aria-|data-|role$|part$|dir$|lang$)/.test(s)?n.setAttribute(s,String(i)):n[s]=i);return n.append(...t),n}function L(r){try{let e=new URL(r);return["http:","https:","mailto:","tel:"].includes(e.protocol)?e.href:""}catch{return""}}function H(r,...e){return c("a",{href:r,target:"_blank",rel:"noopener noreferrer"},...e)}function B(){return Array.from(crypto.getRandomValues(new Uint8Array(12)),r=>r.toString(16).padStart(2,"0")).join("")}function yt(){return c("div",{className:"unseen",role:"status"})}function y(r,e){let t=r.getRootNode();!(t instanceof ShadowRoot)||!r.getClientRects().length||t.querySelector("[role=status]")?.replaceChildren(c("p",{textContent:e}))}function E(r){let e="http://www.w3.org/2000/svg",t=document.createElementNS(e,"svg");t.setAttribute("viewBox","0 0 24 24"),t.setAttribute("aria-hidden","true");let n=document.createElementNS(e,"path");return n.setAttribute("d",r),t.append(n),t}var Qe=class extends Error{},oe=class{constructor(e){this.send=e}send;open=new Map;add(e,t,n){let s=B(),i={type:"request",id:s,method:e,path:t,...n===void 0?{}:{body:n}};return new Promise((a,o)=>{let l={frame:i,isSent:!1,resolve:a,reject:o};this.open.set(s,l),l.isSent=this.send(i)})}sendAll(){for(let e of this.open.values())e.isSent=this.send(e.frame)||e.isSent}respond({id:e,status:t,body:n}){this.open.get(e)?.resolve({status:t,body:n}),this.open.delete(e)}refuse({id:e="",error:t}){return this.open.get(e)?.reject(new Error(t?.message)),this.open.delete(e)}lost(){this.fail(({frame:e,isSent:t})=>t&&e.method!=="GET")}failAll(){this.fail(()=>!0)}fail(e){for(let[t,n]of this.open)e(n)&&(this.open.delete(t),n.reject(new Qe))}};var ae=class{constructor(e,t){this.ping=e;this.dead=t}ping;dead;ticker;timer;begin(e){this.end(),this.expect(e),this.ticker=setInterval(()=>this.check(),2e4)}check(){this.ping(),this.timer===void 0&&this.expect(5e3)}heard(){clearTimeout(this.timer),this.timer=void 0}end(){this.heard(),clearInterval(this.ticker)}expect(e){let t=Date.now()+e;this.timer=setTimeout(()=>{this.timer=void 0,Date.now()-t>1e3?this.check():this.dead()},e)}};function Tt(r){if(r===void 0)return"";try{let e=r.split(".")[1]??"",t=atob(e.replace(/-/g,"+").replace(/_/g,"/")),n=new TextDecoder().decode(Uint8Array.from(t,a=>a.charCodeAt(0))),{iss:s="",sub:i}=JSON.parse(n);return i&&`${s}/${i}`}catch{return}}var $n="colloquy.v1",St=[300,700,1500,3e3,6e3,1e4],zn=3e4,Dn=15e3,qn=3,Hn=1009,Ve=4401,At=4408,Et=1006,Bn=4400,Fn=[Ve,At,4409,4429],le=class{constructor(e,t,n){this.url=e;this.listener=t;this.tokenProvider=n;let{signal:s}=this.ends;addEventListener("online",()=>this.networkChanged(),{signal:s}),addEventListener("offline",()=>this.networkChanged(),{signal:s}),addEventListener("pageshow",({persisted:i})=>i&&this.wake(),{signal:s}),document.addEventListener("resume",()=>this.wake(),{signal:s}),document.addEventListener("visibilitychange",()=>document.hidden||this.wake(),{signal:s}),this.connect()}url;listener;tokenProvider;calls=new oe(e=>this.send(e));liveness=new ae(()=>this.send({type:"ping"}),()=>this.drop());work=new Map;socket;attempt=0;timer;renewal;client;failures=0;refusals=0;pause;isReady=!1;isClosed=!1;ends=new AbortController;ask(e){this.work.set(e.id,{frame:e}),this.send(e)&&this.liveness.check()}follow(e,t,n){let s={answer:t,position:n};this.work.set(e,s),this.send(Rt(e,s))}cancel(e){this.send({type:"cancel",answer:e})}request(e,t,n){return this.calls.add(e,t,n)}forgetAll(){this.work.clear()}retry(){this.refusals=0,this.isReady||this.connect()}close(){this.isClosed=!0,this.calls.failAll(),clearTimeout(this.timer),clearTimeout(this.renewal),this.liveness.end(),this.ends.abort(),this.socket?.close(1e3)}async connect(){clearTimeout(this.timer),this.timer=void 0,this.isReady=!1,this.listener.connectionChanged(navigator.onLine?"connecting":"offline"),this.liveness.begin(zn);let e=++this.attempt,t;try{t=await this.tokenProvider()?.()}catch{e===this.attempt&&this.lost(Et);return}if(e!==this.attempt||this.isClosed)return;this.listener.identified(Tt(t)),this.liveness.begin(Dn);let n=new WebSocket(this.url,$n);this.socket=n,t!==void 0&&(n.onopen=()=>Ct(n,t)),n.onmessage=({data:s})=>{n===this.socket&&this.receive(JSON.parse(s))},n.onclose=({code:s})=>{n===this.socket&&this.lost(s)}}renewBefore(e){clearTimeout(this.renewal);let t=this.tokenProvider(),n=this.socket;if(!e||!t||!n)return;let s=async()=>{let i=await t();n.readyState===WebSocket.OPEN&&Ct(n,i)};this.renewal=setTimeout(()=>s().catch(()=>{}),e*(700+Math.random()*150))}networkChanged(){navigator.onLine?this.timer?this.connect():(this.listener.connectionChanged(this.isReady?"ready":"connecting"),this.liveness.check()):this.listener.connectionChanged("offline")}wake(){this.timer?this.connect():this.isReady&&this.liveness.check()}drop(){let{socket:e}=this;this.socket=void 0,e?.close(),this.lost(Et)}lost(e){if(!this.isReady&&e===Ve&&(this.refusals+=1),this.isReady=!1,this.calls.lost(),this.liveness.end(),clearTimeout(this.renewal),this.isClosed)return;let t=this.tokenProvider()?this.refusals>=qn:[Ve,At].includes(e);if(e===Hn||e>=Bn&&!Fn.includes(e)||t){this.calls.failAll(),this.listener.connectionChanged("refused",e);return}let s=this.pause??St[Math.min(this.failures,St.length-1)]??1e4;this.pause=void 0,this.failures+=1,this.listener.connectionChanged(navigator.onLine?"lost":"offline"),this.timer=setTimeout(()=>{this.connect()},s*(.7+Math.random()*.6))}receive(e){switch(this.liveness.heard(),e.type){case"ready":this.ready(e.client,e.expiresIn);break;case"accepted":this.work.has(e.id)&&this.work.set(e.id,{answer:e.answer}),this.listener.accepted(e);break;case"element":{let t=this.work.get(e.id);t&&"answer"in t&&(t.position=e.position),A(e.response?.answer?.state)&&this.work.delete(e.id),this.listener.element(e);break}case"response":this.calls.respond(e);break;case"error":if(this.calls.refuse(e))break;e.id&&this.work.delete(e.id),this.listener.refused(e);break;case"goaway":this.pause=Math.max(Number(e.retryAfter??0)*1e3,200);break}}ready(e,t){if(this.refusals=0,this.renewBefore(t),!this.isReady){this.isReady=!0,this.client??=e,this.failures=0,this.listener.connectionChanged("ready");for(let[n,s]of this.work)this.send("frame"in s?s.frame:Rt(n,s));this.calls.sendAll()}}send(e){if(!this.isReady)return!1;let t=e.type==="answer"?{...e,client:this.client}:e;return this.socket?.send(JSON.stringify(t)),!0}};function Ct(r,e){r.send(JSON.stringify({type:"auth",token:e}))}function Rt(r,e){return{type:"resume",id:r,answer:e.answer,...e.position?{after:e.position}:{}}}function Lt(r,e,t,n){return{eventType:"add-feedback",...n?{}:{userPseudoId:r.split("/").pop()},feedback:{feedbackType:t.isHelpful?"LIKE":"DISLIKE",reasons:t.reasons,comment:t.comment,conversationInfo:{session:r,questionIndex:e}}}}var Ze=5,Un=60,Wn=/^projects\/[^/]+\/locations\/[^/]+\/collections\/[^/]+\/dataStores\/[^/]+\/branches\/[^/]+\/documents\/[^/]+$/;function Pt(r,e){let t=L(r);if(!/^https?:/.test(t))return"";let n=jn(e);return n?`${t}${t.includes("#")?"":"#"}:~:text=${n}`:t}function Nt(r){return Wn.test(r)}async function _t(r,e,t,n){let s=open("","_blank");if(!s)return!1;s.opener=null;let i=r.split("/").map(encodeURIComponent).join("/");try{let{status:a,body:o}=await t.request("POST",`/v1/${i}:mintReadToken`,{});if(a!==200)throw new Error(String(a));let l=new URL(`/documents/${i}`,n.replace(/^ws/,"http"));return l.hash=new URLSearchParams({token:o.token,quote:e}).toString(),s.location.replace(l.href),!0}catch{return s.close(),!1}}function jn(r){let e=r.split(`
`).map(n=>n.replace(/^\s*(?:[-*•]|\d+[.)])\s+/,"").trim()).sort((n,s)=>s.length-n.length)[0]??"",t=e.split(/\s+/).filter(Boolean);return e.length<=Un||t.length<=2*Ze?Ke(e):`${Ke(t.slice(0,Ze).join(" "))},${Ke(t.slice(-Ze).join(" "))}`}function Ke(r){return encodeURIComponent(r).replace(/-/g,"%2D")}var ce=20;async function J(r,e,t,n=ce){let s=`turnOffset=${-t-n}&turnLimit=${n}`,i=await r.request("GET",`/v1/${e}?includeAnswerDetails=true&${s}`).catch(()=>{});if(i?.status===403||i?.status===404)return"gone";if(i?.status!==200)return"away";let{turns:a=[]}=i.body;return{turns:a.filter(({answer:l})=>l).map(({query:l,answer:u="",detailedAnswer:d})=>{let f=d?.state??"FAILED",h={...Y,name:u,state:f},p=d&&A(f)?re(h,{response:{answer:d}}):h;return{query:l?.text??"",answer:p}}),count:a.length}}async function Ot(r,e,t){for(let n=t.length?2:ce;;n*=4){let s=await J(r,e,0,n);if(typeof s=="string"||s.count<n||!t.length||s.turns.some(({answer:i})=>t.includes(i.name)))return s}}async function It(r,e,t){let n=await r.request("GET",`/v1/${e}`).catch(()=>{}),{turns:s=[]}=n?.body??{};return s.findIndex(({answer:i})=>i===t)}var de=class{constructor(e,t){this.turns=e;this.to=t}turns;to;opened;get isOpening(){return this.opened!==void 0}flush(){let{waiting:e}=this.turns;if(!this.to.canSend||this.opened||!e.length)return;if(this.to.sessionName){for(let s of e)this.to.send(s);return}let t=new Promise(s=>{this.opened=s}),n=s=>this.open(s,t);(this.to.shared?.alone(n)??n("")).finally(()=>{this.opened=void 0,this.flush()})}settle(){this.opened?.()}async open(e,t){e&&!this.to.sessionName&&await this.to.takeOver(e);let[n]=this.turns.waiting;this.to.sessionName||!n||(this.to.send(n),await t)}};function Ye({servingConfig:r}){return r.split("/servingConfigs/")[0]??""}function Mt(r,e,t,n,{filter:s,labels:i}){return{type:"answer",id:r,servingConfig:n.servingConfig,request:{query:{text:e},session:t||`${Ye(n)}/sessions/-`,answerGenerationSpec:{includeCitations:!0,ignoreAdversarialQuery:!0,ignoreJailBreakingQuery:!0},groundingSpec:{includeGroundingSupports:!0},relatedQuestionsSpec:{enable:!0},...s?{searchSpec:{searchParams:{filter:s}}}:{},...i?{userLabels:i}:{}}}}var Gn=50,Qn=5,Je=50,ue=class{constructor(e,t){this.connection=e;this.store=t}connection;store;async read(e){let t=new URLSearchParams({pageSize:String(Gn),turnLimit:String(Qn),orderBy:"is_pinned desc,update_time desc",...e?{pageToken:e}:{}}),n=await this.call("GET",`${this.store}/sessions?${t}`);if(!n)return;let{sessions:s=[],nextPageToken:i=""}=n;return{sessions:s,next:i}}async change(e,t){return this.call("PATCH",`${e}?updateMask=${Object.keys(t).join()}`,t)}async remove(e){return await this.call("DELETE",e)!==void 0}async turns(e){let t=[];for(let n=0;;n+=Je){let s=await J(this.connection,e,n,Je);if(typeof s=="string")return;if(t.unshift(...s.turns),s.count<Je)return t}}async call(e,t,n){let s=await this.connection.request(e,`/v1/${t}`,n).catch(()=>{});return s?.status===200?s.body:void 0}};var Xe=/^projects(?:\/[^/?#.][^/?#]*)+\/sessions\/[\w-]+$/;var pe=class{constructor(e,t){this.key=e;this.channel=new BroadcastChannel(e),this.channel.onmessage=({data:n})=>{Xe.test(n?.session)&&t(n)}}key;channel;kept="";get name(){try{let e=localStorage.getItem(this.key)??"";return Xe.test(e)?e:""}catch{return""}}set name(e){this.kept=e;try{e?localStorage.setItem(this.key,e):localStorage.removeItem(this.key)}catch{}}tell(e){this.channel.postMessage(e)}async alone(e){let{locks:t}=navigator;if(!t)return e(this.name);let n=!1,s=async()=>{n=!0,await e(this.name||await this.justOpened()),await this.tellOpened()};try{await t.request(this.key,{signal:AbortSignal.timeout(1e4)},s)}catch{n||await e(this.name)}}async justOpened(){let{held:e=[]}=await navigator.locks.query();return e.map(({name:n=""})=>n.split(`${this.key}#`)[1]??"").find(n=>Xe.test(n))??""}tellOpened(){let e=`${this.key}#${this.kept}`;return new Promise(t=>{let n=()=>(t(),new Promise(s=>setTimeout(s,1e4)));navigator.locks.request(e,{mode:"shared"},n)})}close(){this.channel.close()}};var he=class{listener;all=new Map;get size(){return this.all.size}get(e){return this.all.get(e)}values(){return this.all.values()}get waiting(){return this.where(({state:e})=>e==="QUEUED")}get running(){return this.where(({state:e,name:t})=>q(e)&&t!=="")}get names(){return this.where(({name:e})=>e!=="").map(({answer:e})=>e.name)}get isSending(){return this.where(({state:e})=>e==="SENT").length>0}add(e){return this.all.set(e.id,e),this.listener?.turnAdded(e),e}addBefore(e){this.all=new Map([...e.map(t=>[t.id,t]),...this.all]),this.listener?.earlierAdded(e)}change(e,t){e.answer=t,this.listener?.turnChanged(e)}remove(e){this.all.delete(e.id),this.listener?.turnRemoved(e)}clear(){this.all.clear(),this.listener?.emptied()}unknown(e){let t=new Set(this.names);return e.filter(({answer:n})=>!t.has(n.name)).map(n=>({id:B(),...n}))}where(e){return[...this.all.values()].filter(({answer:t})=>e(t))}};async function $t(r,e,t){let s=`widgetConfigs/default_search_widget_config?languageCode=${encodeURIComponent(t)}`,i=await r.request("GET",`/v1/${e}/${s}`).catch(()=>{});if(i?.status!==200)return;let{displayName:a,...o}=i.body;return a&&!o.name?.includes(`/${a}/`)?{...o,displayName:a}:o}var zt=3e3,Vn=40,fe=class{constructor(e,t){this.place=e;this.tokenProvider=t;this.connection=new le(e.socket,{identified:n=>this.identified(n),connectionChanged:(n,s)=>this.connectionChanged(n,s),accepted:n=>this.accepted(n),element:n=>this.element(n),refused:n=>this.refused(n)},t)}place;tokenProvider;turns=new he;hasEarlier=!1;context={};config={};connectionState="connecting";closeCode;listener;sessionName="";shared;language;subject;mayJoin=!0;isRecalling=!1;outbox=new de(this.turns,this);known=0;isBehind=!1;connection;speak(e){e!==this.language&&(this.language=e,$t(this.connection,this.store,e).then((t={})=>{e===this.language&&(this.config=t,this.listener?.configured())}))}listen(e){this.listener=this.turns.listener=e}openDocument(e,t){return _t(e,t,this.connection,this.place.socket)}get isAnswering(){return this.turns.running.length>0}waitsFor(e){return e.answer.state==="QUEUED"&&this.connectionState!=="ready"?"connection":this.turns.running.indexOf(e)>0?"answer":"nothing"}ask(e){let t=this.turns.add({id:B(),query:e,answer:Y});return this.outbox.flush(),t}takeBack(e){e.answer.name&&this.connection.cancel(e.answer.name),e.answer.state==="QUEUED"&&this.turns.remove(e)}stop(){for(let{answer:e}of this.turns.running.slice(0,1))this.connection.cancel(e.name)}retry(){this.connection.retry()}async rate(e,t){let{name:n}=e.answer,s=this.hasEarlier?await It(this.connection,this.sessionName,n):this.turns.names.indexOf(n),i=Lt(this.sessionName,s,t,this.tokenProvider()!==void 0);return(await this.connection.request("POST",`/v1/${this.store}/userEvents:write`,i).catch(()=>{}))?.status===200}startNew(){this.mayJoin=!1,this.forget(),this.shared&&(this.shared.name="")}get sessions(){return this.tokenProvider()&&new ue(this.connection,this.store)}openSession(e){e!==this.sessionName&&(this.startNew(),this.shared&&(this.shared.name=e),this.join(e))}async readEarlier(){this.hasEarlier&&!this.isRecalling&&await this.recall(this.sessionName)}close(){this.connection.close(),this.shared?.close()}get store(){return Ye(this.place)}connectionChanged(e,t){this.connectionState=e,this.closeCode=t,this.listener?.connectionChanged(),e==="ready"&&(this.outbox.flush(),this.turns.size&&this.catchUp())}get canSend(){return this.connectionState==="ready"&&!this.isRecalling}send(e){this.turns.change(e,{...e.answer,state:"SENT"});let{place:t,sessionName:n,context:s}=this;this.connection.ask(Mt(e.id,e.query,n,t,s))}accepted({id:e,answer:t,session:n}){let s=this.turns.get(e);if(!s)return;n&&(this.sessionName=n),n&&this.shared&&(this.shared.name=n),this.outbox.settle();let i=!s.answer.name,a=s.answer.state==="SENT"?"IN_PROGRESS":s.answer.state;this.turns.change(s,{...s.answer,state:a,name:t}),i&&(this.known+=1),i&&n&&this.shared?.tell({session:n,answer:t}),this.isBehind&&this.catchUp()}element(e){let t=this.turns.get(e.id);t&&this.turns.change(t,re(t.answer,e))}refused({id:e,error:t}){let n=e?this.turns.get(e):void 0;n&&t?.status==="NOT_FOUND"&&this.sessionName&&!n.answer.name?(this.sessionName="",this.mayJoin=!1,this.turns.change(n,Y),this.outbox.flush()):n&&this.turns.change(n,{...n.answer,state:"FAILED",error:t}),this.outbox.settle()}identified(e){if(this.shared&&e===this.subject||(this.subject!==void 0&&this.forget(),this.subject=e,this.shared=this.shared?.close(),e===void 0))return;let t=`colloquy:${this.place.socket}:${this.store}:${e}`;this.shared=new pe(t,n=>{this.heard(n)}),this.shared.name&&this.join(this.shared.name)}forget(){this.sessionName="",this.hasEarlier=!1,this.isBehind=!1,this.connection.forgetAll(),this.known=0,this.turns.clear(),this.outbox.settle()}async takeOver(e){this.mayJoin&&await this.join(e)}async join(e){this.sessionName=e;let t=await this.recall(e);this.sessionName===e&&(t==="away"?setTimeout(()=>this.sessionName===e&&void this.join(e),zt):t==="gone"&&(this.sessionName="",this.shared?.name===e&&(this.shared.name="")),this.outbox.flush())}async recall(e){this.isRecalling=!0;let t=await J(this.connection,e,this.known);if(this.isRecalling=!1,this.sessionName!==e||typeof t=="string")return t;this.known+=t.count,this.hasEarlier=t.count===ce;let n=this.turns.unknown(t.turns);return this.turns.addBefore(n),this.follow(n),t}async heard(e,t=Vn){let{session:n,answer:s}=e;if(!this.sessionName&&this.mayJoin&&!this.outbox.isOpening)return void this.join(n);n===this.sessionName&&(await this.catchUp(),t&&!this.turns.names.includes(s)&&setTimeout(()=>{this.heard(e,t-1)},zt))}async catchUp(){let{sessionName:e}=this;if(!e||this.isRecalling)return;let t=await Ot(this.connection,e,this.turns.names);if(e!==this.sessionName||typeof t=="string"||(this.isBehind=this.turns.isSending,this.isBehind))return;let n=this.turns.unknown(t.turns).map(s=>this.turns.add(s));this.known+=n.length,this.follow(n)}follow(e){for(let{id:t,answer:n}of e)q(n.state)&&this.connection.follow(t,n.name)}};var et=new CSSStyleSheet;et.replaceSync(':host{--_ink: var(--colloquy-ink, #17202b);--_soft: var(--colloquy-soft, #566272);--_paper: var(--colloquy-paper, #ffffff);--_shade: var(--colloquy-shade, #f2f5f8);--_line: var(--colloquy-line, #c3cdd8);--_accent: var(--colloquy-accent, #0b5fad);--_accent-ink: var(--colloquy-accent-ink, #ffffff);--_bad: var(--colloquy-bad, #a3261b);--_mark: var(--colloquy-mark, #fff3b0);--_radius: var(--colloquy-radius, 14px);--_font: var(--colloquy-font, 16px/1.5 system-ui, sans-serif);display:flex;flex-direction:column;min-height:0;height:100%;font:var(--_font);color:var(--_ink);background:var(--_paper);color-scheme:light dark}:host([form="page"]){height:100dvh}:host(:not([form])),:host([form="inline"]){min-height:20rem}:host([form="launcher"]){display:contents}.launcher{position:fixed;z-index:2147483000;inset-block-end:max(20px,env(safe-area-inset-bottom));--_side: max(20px, env(safe-area-inset-left), env(safe-area-inset-right));inset-inline-end:var(--_side);font:var(--_font);color:var(--_ink)}:host([position="start"]) .launcher{inset-inline:var(--_side) auto}.bubble{position:relative;display:grid;place-items:center;width:60px;height:60px;padding:0;border-radius:50%;border-color:transparent;background:var(--_accent);margin-inline-start:auto;box-shadow:0 4px 16px #0000004d}:host([position="start"]) .bubble{margin-inline:0 auto}.bubble svg{width:28px;height:28px;fill:var(--_accent-ink)}.bubble[aria-expanded=true] svg:first-child,.bubble[aria-expanded=false] svg+svg{display:none}.unread{position:absolute;inset-block-start:0;inset-inline-end:0;width:16px;height:16px;border-radius:50%;background:var(--_bad);border:2px solid var(--_paper)}.dialog{display:flex;width:min(26rem,calc(100vw - 40px));height:min(42rem,calc(100dvh - 120px));margin-block-end:12px;overflow:hidden;border:1px solid var(--_line);border-radius:var(--_radius);background:var(--_paper);box-shadow:0 8px 40px #0000004d}@media(max-width:30rem){.dialog{position:fixed;inset:var(--_top, 0) 0 0;width:auto;height:var(--_visible, auto);margin:0;border:0;border-radius:0;padding:env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left)}.dialog header{padding-inline-end:60px}.dialog:not([hidden])+.bubble{position:fixed;width:44px;height:44px;box-shadow:none;inset-block-start:calc(8px + env(safe-area-inset-top) + var(--_top, 0px));inset-inline-end:calc(8px + max(env(safe-area-inset-left),env(safe-area-inset-right)))}}:host([form="page"]) .panel{max-height:var(--_visible, none);translate:0 var(--_top, 0);padding:env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left)}.unseen{position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}:host([hidden]){display:none}@media(prefers-color-scheme:dark){:host{--_ink: var(--colloquy-ink, #e8edf3);--_soft: var(--colloquy-soft, #a9b5c3);--_paper: var(--colloquy-paper, #11161c);--_shade: var(--colloquy-shade, #1b232c);--_line: var(--colloquy-line, #465463);--_accent: var(--colloquy-accent, #7ab8f5);--_accent-ink: var(--colloquy-accent-ink, #0b1620);--_bad: var(--colloquy-bad, #ff9d93);--_mark: var(--colloquy-mark, #5a4b00)}}*{box-sizing:border-box}[hidden]{display:none!important}button,textarea,input{font:inherit;color:inherit}input{min-height:44px;padding:8px 12px;border:1px solid var(--_line);border-radius:10px;background:var(--_paper)}button{cursor:pointer;border:1px solid var(--_line);border-radius:10px;background:var(--_paper);padding:8px 14px;min-height:44px;min-width:44px}button:disabled{opacity:.55;cursor:default}:is(button,textarea,input,a,summary,pre,.table):focus-visible{outline:3px solid var(--_accent);outline-offset:1px}a{color:var(--_accent)}.panel{display:flex;flex-direction:column;flex:1;min-height:0;min-width:0}header{display:flex;gap:8px;align-items:center;padding:8px 16px;border-block-end:1px solid var(--_line)}header :is(h1,h2){font-size:1.1rem;margin:0;flex:1}.connection{padding:4px 16px;font-size:.9rem;color:var(--_soft)}.connection:not([hidden]){display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px}.connection button{color:var(--_ink)}.connection[data-state=lost],.connection[data-state=offline],.connection[data-state=refused]{color:var(--_bad)}.scroll{flex:1;overflow-y:auto;overscroll-behavior:contain;padding:16px}.turns>li{content-visibility:auto;contain-intrinsic-size:auto 240px}.earlier{display:block;margin:0 auto}.below{position:relative;align-self:center;height:44px;margin-block:-52px 8px;z-index:3;box-shadow:0 2px 10px #00000040}.text.before{color:var(--_soft)}.turns{list-style:none;margin:0 auto;padding:0;max-width:46rem}.query{font:inherit;margin-block:20px 8px;margin-inline:auto 0;width:fit-content;max-width:85%;padding:8px 14px;border-radius:var(--_radius);background:var(--_accent);color:var(--_accent-ink);white-space:pre-wrap;overflow-wrap:anywhere}article{padding:12px 14px;border-radius:var(--_radius);background:var(--_shade)}.state{font-size:.9rem;color:var(--_soft)}form{display:flex;gap:8px;align-items:flex-end;padding:12px 16px max(12px,env(safe-area-inset-bottom));border-block-start:1px solid var(--_line)}textarea{flex:1;min-width:0;resize:none;min-height:44px;max-height:30vh;padding:9px 12px;border:1px solid var(--_line);border-radius:10px;background:var(--_paper)}form [type=submit]{background:var(--_accent);color:var(--_accent-ink);border-color:transparent}.welcome{color:var(--_soft);max-width:46rem;margin:10vh auto 0;text-align:center}@media print{:host{height:auto}.launcher{display:none}form,header button{display:none}}@media(forced-colors:active){button,article,.query{border:1px solid CanvasText}.bubble svg{fill:ButtonText}.unread{background:Highlight;forced-color-adjust:none}}');var X={title:"Ask the help pages",placeholder:"Ask a question",question:"Your question",ask:"Ask",stop:"Stop",newSession:"New conversation",welcome:"Ask a question. The answer comes with its sources.",answers:"Conversation",answer:"Answer",queued:"Will be sent as soon as there is a connection",place:"the help pages",searching:"Searching {place}…",reading:"Reading {count} pages…",writing:"Writing the answer…",rewriting:"Writing the answer anew…",answered:"Here is what I found",noAnswer:"I found no answer to that in {place}",refusedSmallTalk:"Ask me something about {place}, and I will look it up",refusedHarmful:"I cannot help with that",refusedJailbreak:"I can only answer questions about {place}",refusedPolicy:"That is something that I may not answer here",nearest:"These pages come nearest",contact:"You can also ask a person.",contactLink:"Contact us",stopped:"Stopped",failed:"Something went wrong, and there is no answer",failedBusy:"Too much is asked at the moment. Wait a little, and ask again.",sources:"Sources",source:"Source {number}: {title}",untitled:"A page without a title",page:"page {page}",closeSource:"Close the source",openPage:"Open the page",notOpened:"The page could not be opened. Try again.",supportVerbatim:"The source says this word for word.",supportStrong:"The source supports this.",supportPartial:"The source supports this in part.",supportWeak:"The source is about this, but may not say it: please check.",related:"Related questions",starters:"Questions to begin with",copy:"Copy",copied:"Copied",notCopied:"Not copied",copyAnswer:"Copy the answer",copyLink:"Copy a link to this question",askAgain:"Ask again",editQuestion:"Edit the question",helpful:"This helped",notHelpful:"This did not help",whatIsWrong:"What was wrong with it?",reasonInaccurate:"It is not correct",reasonNotRelevant:"It is not what I asked",reasonIncomplete:"Something is missing",reasonBadSource:"The source does not fit",reasonHarmful:"It is harmful or offensive",reasonFormat:"It is hard to read",comment:"Tell us more, if you like",sendFeedback:"Send",thanks:"Thank you for telling us.",notSent:"That could not be sent. Try again.",close:"Close",open:"Open the chat",openUnread:"Open the chat: there is a new answer",connecting:"Connecting…",ready:"",lost:"The connection was lost; coming back…",offline:"You are offline; questions are sent as soon as you are back",refused:"The service does not let this page in (code {code})",sending:"Sending…",waiting:"Waits for the answer above",takeBack:"Take back",refusedSignIn:"Your sign-in has ended. Sign in again, then try again.",refusedOrigin:"This website ({origin}) may not use the chat. Please tell whoever runs it.",tryAgain:"Try again",newBelow:"New text below",dictate:"Dictate",notHeard:"Nothing was heard. Try again, or type.",earlier:"Show earlier questions",sessions:"Conversations",noSessions:"There are no conversations",searchSessions:"Search conversations",more:"Show more",rename:"Rename",pin:"Pin",unpin:"Unpin",export:"Export",delete:"Delete",deleteReally:"Delete for good"};function S(r){let e=r.split(`
`),t=Object.keys(X).map((n,s)=>[n,e[s]]);return Object.fromEntries(t.filter(([,n])=>n))}var Dt=S(`اسأل صفحات المساعدة
اطرح سؤالاً
سؤالك
اسأل
إيقاف
محادثة جديدة
اطرح سؤالاً، وتأتي الإجابة مع مصادرها.
المحادثة
الإجابة
سيُرسل فور توفر الاتصال
صفحات المساعدة
جارٍ البحث في {place}…
الصفحات المقروءة: {count}…
جارٍ كتابة الإجابة…
جارٍ كتابة الإجابة من جديد…
هذا ما وجدته
لم أجد إجابة عن ذلك في {place}
اسألني عن {place} وسأبحث لك
لا أستطيع المساعدة في ذلك
أجيب فقط عن الأسئلة حول {place}
لا يُسمح لي بالإجابة عن ذلك هنا
هذه أقرب الصفحات
يمكنك أيضاً أن تسأل شخصاً.
اتصل بنا
توقفت
حدث خطأ ولا توجد إجابة
الطلبات كثيرة في هذه اللحظة. انتظر قليلاً ثم اسأل مرة أخرى.
المصادر
المصدر {number}: {title}
صفحة بلا عنوان
صفحة {page}
إغلاق المصدر
فتح الصفحة
تعذر فتح الصفحة. حاول مرة أخرى.
يقول المصدر ذلك حرفياً.
يؤيد المصدر ذلك.
يؤيد المصدر ذلك جزئياً.
يتناول المصدر هذا الموضوع وقد لا يقول ذلك: يرجى التحقق.
أسئلة ذات صلة
أسئلة للبدء
نسخ
تم النسخ
لم يُنسخ
نسخ الإجابة
نسخ رابط هذا السؤال
اسأل مرة أخرى
تعديل السؤال
ساعدني هذا
لم يساعدني هذا
ما الخطأ فيها؟
ليست صحيحة
ليس هذا ما سألت عنه
ينقصها شيء
المصدر غير مناسب
ضارة أو مسيئة
صعبة القراءة
أخبرنا بالمزيد إن شئت
إرسال
شكراً لإخبارنا.
تعذر الإرسال. حاول مرة أخرى.
إغلاق
فتح المحادثة
فتح المحادثة: توجد إجابة جديدة
جارٍ الاتصال…

انقطع الاتصال؛ جارٍ استعادته…
أنت غير متصل؛ تُرسل الأسئلة عند عودتك
لا تسمح الخدمة لهذه الصفحة (الرمز {code})
جارٍ الإرسال…
بانتظار الإجابة السابقة
سحب السؤال
انتهت صلاحية تسجيل دخولك. سجّل الدخول من جديد ثم أعد المحاولة.
لا يُسمح لهذا الموقع ({origin}) باستخدام المحادثة. يُرجى إبلاغ القائمين عليه.
إعادة المحاولة
نص جديد في الأسفل
قل سؤالك
لم يُسمع شيء. حاول مرة أخرى أو اكتب.
عرض الأسئلة السابقة
المحادثات
لا توجد محادثات
البحث في المحادثات
عرض المزيد
إعادة التسمية
تثبيت
إلغاء التثبيت
تصدير
حذف
حذف نهائي`);var qt=S(`Fragen Sie die Hilfeseiten
Frage eingeben
Ihre Frage
Fragen
Anhalten
Neues Gespräch
Stellen Sie eine Frage. Die Antwort kommt mit ihren Quellen.
Gespräch
Antwort
Wird gesendet, sobald eine Verbindung besteht
die Hilfeseiten
Suche läuft: {place} …
Gelesene Seiten: {count} …
Die Antwort wird geschrieben …
Die Antwort wird neu geschrieben …
Das habe ich gefunden
Dazu habe ich keine Antwort gefunden (durchsucht: {place})
Fragen Sie etwas zu diesem Thema: {place}
Dabei kann ich nicht helfen
Ich beantworte nur Fragen zu diesem Thema: {place}
Das darf ich hier nicht beantworten
Diese Seiten kommen dem am nächsten
Sie können auch einen Menschen fragen.
Kontakt
Angehalten
Es ist ein Fehler aufgetreten, deshalb gibt es keine Antwort
Im Moment gibt es zu viele Anfragen. Warten Sie kurz und fragen Sie noch einmal.
Quellen
Quelle {number}: {title}
Seite ohne Titel
Seite {page}
Quelle schließen
Seite öffnen
Die Seite ließ sich nicht öffnen. Versuchen Sie es noch einmal.
Die Quelle sagt das wörtlich.
Die Quelle belegt das.
Die Quelle belegt das zum Teil.
Die Quelle handelt davon, sagt es aber vielleicht nicht: bitte prüfen.
Verwandte Fragen
Fragen für den Anfang
Kopieren
Kopiert
Nicht kopiert
Antwort kopieren
Link zu dieser Frage kopieren
Noch einmal fragen
Frage bearbeiten
Das hat geholfen
Das hat nicht geholfen
Was war daran falsch?
Es stimmt nicht
Danach habe ich nicht gefragt
Es fehlt etwas
Die Quelle passt nicht
Es ist schädlich oder beleidigend
Es ist schwer zu lesen
Sagen Sie uns mehr, wenn Sie mögen
Senden
Danke für die Rückmeldung.
Das ließ sich nicht senden. Versuchen Sie es noch einmal.
Schließen
Chat öffnen
Chat öffnen: es gibt eine neue Antwort
Verbinden …

Die Verbindung ist abgebrochen; sie wird wiederhergestellt …
Sie sind offline; Fragen werden gesendet, sobald Sie wieder verbunden sind
Der Dienst lässt diese Seite nicht zu (Code {code})
Wird gesendet …
Wartet auf die Antwort darüber
Zurücknehmen
Ihre Anmeldung ist abgelaufen. Melden Sie sich neu an und versuchen Sie es noch einmal.
Diese Website ({origin}) darf den Chat nicht nutzen. Bitte sagen Sie es dem Betreiber.
Noch einmal versuchen
Neuer Text weiter unten
Diktieren
Nichts gehört. Versuchen Sie es noch einmal, oder tippen Sie.
Frühere Fragen zeigen
Gespräche
Keine Gespräche
Gespräche durchsuchen
Mehr zeigen
Umbenennen
Anheften
Lösen
Exportieren
Löschen
Endgültig löschen`);var Ht=S(`Preguntar a las páginas de ayuda
Haga una pregunta
Su pregunta
Preguntar
Detener
Nueva conversación
Haga una pregunta. La respuesta llega con sus fuentes.
Conversación
Respuesta
Se enviará en cuanto haya conexión
las páginas de ayuda
Buscando en {place}…
Leyendo páginas: {count}…
Escribiendo la respuesta…
Escribiendo la respuesta de nuevo…
Esto es lo que encontré
No encontré respuesta en {place}
Pregunte algo sobre {place} y lo buscaré
No puedo ayudarle con eso
Solo puedo responder preguntas sobre {place}
Eso no puedo responderlo aquí
Estas páginas son las más cercanas
También puede preguntar a una persona.
Contacto
Detenida
Algo salió mal y no hay respuesta
Hay demasiadas consultas en este momento. Espere un poco y vuelva a preguntar.
Fuentes
Fuente {number}: {title}
Página sin título
página {page}
Cerrar la fuente
Abrir la página
No se pudo abrir la página. Inténtelo de nuevo.
La fuente lo dice palabra por palabra.
La fuente lo respalda.
La fuente lo respalda en parte.
La fuente trata de esto, pero quizá no lo diga: compruébelo.
Preguntas relacionadas
Preguntas para empezar
Copiar
Copiado
No copiado
Copiar la respuesta
Copiar un enlace a esta pregunta
Preguntar de nuevo
Editar la pregunta
Me ayudó
No me ayudó
¿Qué estaba mal?
No es correcto
No es lo que pregunté
Falta algo
La fuente no corresponde
Es dañino u ofensivo
Es difícil de leer
Cuéntenos más, si quiere
Enviar
Gracias por decírnoslo.
No se pudo enviar. Inténtelo de nuevo.
Cerrar
Abrir el chat
Abrir el chat: hay una respuesta nueva
Conectando…

Se perdió la conexión; reconectando…
Está sin conexión; las preguntas se enviarán cuando vuelva
El servicio no admite esta página (código {code})
Enviando…
En espera de la respuesta anterior
Retirar
Su sesión ha caducado. Vuelva a iniciar sesión e inténtelo de nuevo.
Este sitio web ({origin}) no puede usar el chat. Avise a quien lo gestiona.
Intentar de nuevo
Hay texto nuevo abajo
Dictar la pregunta
No se ha oído nada. Inténtelo de nuevo o escriba.
Mostrar preguntas anteriores
Conversaciones
No hay conversaciones
Buscar conversaciones
Mostrar más
Cambiar el nombre
Fijar
Desfijar
Exportar
Eliminar
Eliminar definitivamente`);var Bt=S(`Interroger les pages d’aide
Posez une question
Votre question
Demander
Arrêter
Nouvelle conversation
Posez une question. La réponse arrive avec ses sources.
Conversation
Réponse
Sera envoyée dès qu’il y aura une connexion
les pages d’aide
Recherche dans {place}…
Pages lues : {count}…
Rédaction de la réponse…
La réponse est réécrite…
Voici ce que j’ai trouvé
Je n’ai pas trouvé de réponse dans {place}
Demandez-moi quelque chose sur {place} et je chercherai
Je ne peux pas vous aider sur ce point
Je ne réponds qu’aux questions sur {place}
Je ne peux pas répondre à cela ici
Ces pages s’en approchent le plus
Vous pouvez aussi demander à une personne.
Nous contacter
Arrêtée
Une erreur est survenue, il n’y a pas de réponse
Il y a trop de demandes en ce moment. Patientez un peu, puis reposez votre question.
Sources
Source {number} : {title}
Page sans titre
page {page}
Fermer la source
Ouvrir la page
La page n’a pas pu être ouverte. Réessayez.
La source le dit mot pour mot.
La source le confirme.
La source le confirme en partie.
La source en parle, mais ne le dit peut-être pas : à vérifier.
Questions proches
Questions pour commencer
Copier
Copié
Non copié
Copier la réponse
Copier un lien vers cette question
Poser à nouveau la question
Modifier la question
Cela m’a aidé
Cela ne m’a pas aidé
Qu’est-ce qui n’allait pas ?
Ce n’est pas exact
Ce n’est pas ma question
Il manque quelque chose
La source ne convient pas
C’est nuisible ou offensant
C’est difficile à lire
Dites-nous-en plus, si vous voulez
Envoyer
Merci de nous l’avoir dit.
Cela n’a pas pu être envoyé. Réessayez.
Fermer
Ouvrir le chat
Ouvrir le chat : il y a une nouvelle réponse
Connexion…

La connexion est perdue ; reconnexion…
Vous êtes hors ligne ; les questions partiront à votre retour
Le service n’admet pas cette page (code {code})
Envoi…
Attend la réponse ci-dessus
Retirer
Votre session a expiré. Reconnectez-vous, puis réessayez.
Ce site ({origin}) ne peut pas utiliser le chat. Merci d’en avertir son responsable.
Réessayer
Nouveau texte plus bas
Dicter la question
Rien entendu. Réessayez ou écrivez.
Afficher les questions précédentes
Conversations
Aucune conversation
Rechercher une conversation
Afficher plus
Renommer
Épingler
Désépingler
Exporter
Supprimer
Supprimer définitivement`);var Ft=S(`ヘルプページに質問
質問を入力
質問
質問する
停止
新しい会話
質問してください。回答には出典が付きます。
会話
回答
接続され次第送信します
ヘルプページ
{place}を検索中…
{count} ページを確認中…
回答を作成中…
回答を作り直しています…
次のことがわかりました
{place}に答えは見つかりませんでした
{place}について質問してください。お調べします
それについてはお手伝いできません
{place}に関する質問にのみお答えできます
ここではお答えできません
近い内容のページ
担当者に問い合わせることもできます。
お問い合わせ
停止しました
問題が発生し、回答できませんでした
現在、質問が集中しています。しばらくしてから、もう一度お試しください。
出典
出典 {number}：{title}
無題のページ
{page} ページ
出典を閉じる
ページを開く
ページを開けませんでした。もう一度お試しください。
出典にそのまま書かれています。
出典が裏付けています。
出典が一部裏付けています。
関連する出典ですが、そう書かれていない可能性があります。ご確認ください。
関連する質問
最初の質問の例
コピー
コピーしました
コピーできませんでした
回答をコピー
この質問へのリンクをコピー
もう一度質問
質問を編集
役に立った
役に立たなかった
何が問題でしたか？
正しくない
質問と違う
足りない内容がある
出典が合っていない
有害または不快
読みにくい
よろしければ詳しくお聞かせください
送信
ご協力ありがとうございます。
送信できませんでした。もう一度お試しください。
閉じる
チャットを開く
チャットを開く：新しい回答があります
接続中…

接続が切れました。再接続しています…
オフラインです。復帰後に質問を送信します
このページからはサービスを利用できません（コード {code}）
送信中…
上の回答を待っています
取り消す
サインインの有効期限が切れました。もう一度サインインしてから、やり直してください。
このサイト（{origin}）ではチャットを利用できません。サイトの運営者にお知らせください。
もう一度試す
下に新しい内容があります
質問を話す
聞き取れませんでした。もう一度試すか、入力してください。
以前の質問を表示
会話
会話はありません
会話を検索
さらに表示
名前を変更
ピン留め
ピン留めを外す
エクスポート
削除
完全に削除`);var Ut=S(`Perguntar às páginas de ajuda
Faça uma pergunta
A sua pergunta
Perguntar
Parar
Nova conversa
Faça uma pergunta. A resposta vem com as suas fontes.
Conversa
Resposta
Será enviada assim que houver ligação
as páginas de ajuda
A pesquisar: {place}…
Páginas lidas: {count}…
A escrever a resposta…
A escrever a resposta de novo…
Eis o que encontrei
Não encontrei resposta para isso (pesquisei: {place})
Pergunte algo sobre este tema: {place}
Não posso ajudar com isso
Só respondo a perguntas sobre este tema: {place}
Não posso responder a isso aqui
Estas páginas são as mais próximas
Também pode perguntar a uma pessoa.
Contacto
Parada
Algo correu mal e não há resposta
Há demasiados pedidos neste momento. Aguarde um pouco e pergunte de novo.
Fontes
Fonte {number}: {title}
Página sem título
página {page}
Fechar a fonte
Abrir a página
Não foi possível abrir a página. Tente de novo.
A fonte diz isto palavra por palavra.
A fonte confirma isto.
A fonte confirma isto em parte.
A fonte trata disto, mas talvez não o diga: verifique.
Perguntas relacionadas
Perguntas para começar
Copiar
Copiado
Não copiado
Copiar a resposta
Copiar uma ligação para esta pergunta
Perguntar de novo
Editar a pergunta
Ajudou
Não ajudou
O que estava errado?
Não está correto
Não foi o que perguntei
Falta alguma coisa
A fonte não corresponde
É nocivo ou ofensivo
É difícil de ler
Conte-nos mais, se quiser
Enviar
Agradecemos a sua opinião.
Não foi possível enviar. Tente de novo.
Fechar
Abrir o chat
Abrir o chat: há uma resposta nova
A ligar…

A ligação foi perdida; a restabelecer…
Está sem ligação; as perguntas serão enviadas quando voltar
O serviço não admite esta página (código {code})
A enviar…
À espera da resposta acima
Retirar
A sua sessão expirou. Inicie sessão de novo e tente outra vez.
Este site ({origin}) não pode usar o chat. Avise quem o gere.
Tentar de novo
Há texto novo em baixo
Ditar a pergunta
Nada foi ouvido. Tente de novo ou escreva.
Mostrar perguntas anteriores
Conversas
Não há conversas
Procurar conversas
Mostrar mais
Mudar o nome
Fixar
Desafixar
Exportar
Eliminar
Eliminar definitivamente`);var Wt=S(`向帮助页面提问
请输入问题
您的问题
提问
停止
新对话
请提出问题，回答会附上来源。
对话
回答
连接后将立即发送
帮助页面
正在搜索{place}…
正在阅读 {count} 个页面…
正在撰写回答…
正在重新撰写回答…
这是我找到的内容
在{place}中没有找到答案
请问我有关{place}的问题，我会查找
这个我帮不了
我只能回答有关{place}的问题
这个问题我在这里不能回答
最接近的页面
您也可以咨询人工客服。
联系我们
已停止
出了问题，没有得到回答
目前请求过多，请稍候再试。
来源
来源 {number}：{title}
无标题页面
第 {page} 页
关闭来源
打开页面
无法打开页面，请重试。
来源中有原话。
来源支持这一点。
来源部分支持这一点。
来源与此有关，但未必这样说，请核实。
相关问题
可以从这些问题开始
复制
已复制
未复制
复制回答
复制此问题的链接
再问一次
编辑问题
有帮助
没有帮助
哪里有问题？
内容不正确
不是我问的
缺少内容
来源不符
有害或冒犯
难以阅读
愿意的话，请多说一些
发送
感谢您的反馈。
未能发送，请重试。
关闭
打开聊天
打开聊天：有新回答
正在连接…

连接已断开，正在恢复…
您已离线，恢复后将发送问题
服务不允许此页面接入（代码 {code}）
正在发送…
等待上一个回答完成
撤回
您的登录已过期。请重新登录后再试。
此网站（{origin}）不能使用聊天。请告知网站管理者。
重试
下方有新内容
语音提问
没有听到声音。请重试或输入文字。
显示更早的问题
对话
没有对话
搜索对话
显示更多
重命名
置顶
取消置顶
导出
删除
永久删除`);var jt={ar:Dt,de:qt,en:X,es:Ht,fr:Bt,ja:Ft,pt:Ut,zh:Wt},Zn=["ar"];function Gt(r){let t=r.map(s=>s.toLowerCase().split(/[-_]/)[0]??"").find(s=>Object.hasOwn(jt,s))??"en",n=Zn.includes(t)?"rtl":"ltr";return{code:t,direction:n,texts:{...X,...jt[t]}}}function T(r,e){return r.replace(/\{(\w+)\}/g,(t,n)=>String(e[n]??t))}var Qt=Number.POSITIVE_INFINITY;function ge(r,e=Qt,t=Qt){let{ranges:n,passage:s}=r,{text:i}=s,a=Math.max((n[0]?.start??0)-e,0),o=(n.at(-1)?.end??0)+t,l=a?["…"]:[],u=a;for(let{start:d,end:f}of n)d<u||(l.push(i.slice(u,d),c("mark",{textContent:i.slice(d,f)})),u=f);return[...l,i.slice(u,o),i.length>o?"…":""]}function me(r,e){switch(r){case"verbatim":return e.supportVerbatim;case"strong":return e.supportStrong;case"partial":return e.supportPartial;case"weak":return e.supportWeak;default:return""}}var tt="M6 4.6 12 10.6 18 4.6 19.4 6 13.4 12 19.4 18 18 19.4 12 13.4 6 19.4 4.6 18 10.6 12 4.6 6z",Kn=832,xe=class{constructor(e,t,n,s){this.texts=e;this.chat=t;this.pageLink=n;this.closed=s;let i=c("button",{type:"button",className:"icon","aria-label":e.closeSource});i.append(E(tt)),i.onclick=()=>this.close();let a=c("div",{className:"source-head"},this.heading,i);this.node=c("aside",{className:"source",part:"source",hidden:!0}),this.node.setAttribute("aria-label",e.sources),this.node.append(a,this.body),new ResizeObserver(()=>this.settle()).observe(t)}texts;chat;pageLink;closed;node;body=c("div",{className:"source-body"});heading=c("h3",{tabIndex:-1});before;get isOpen(){return!this.node.hidden}open(e,t){this.before=e,this.fill(t),this.node.hidden=!1,this.body.scrollTop=0,this.settle(),this.heading.focus(),this.body.querySelector("mark")?.scrollIntoView({block:"nearest"})}close(){this.isOpen&&(this.node.hidden=!0,this.settle(),this.before?.isConnected&&this.before.focus(),this.closed())}fill({number:e,source:t,evidence:n,support:s}){let{texts:i}=this,{heading:a,passage:o}=n,l=t.title||i.untitled;this.heading.textContent=T(i.source,{number:e,title:l}),this.heading.dir="auto";let u=[l,a===l?"":a].filter(Boolean).join(" › "),d=o.page?T(i.page,{page:o.page}):"",f=me(s,i);this.body.replaceChildren(c("p",{className:"trail",dir:"auto",textContent:[u,d].filter(Boolean).join(" · ")}),...f?[c("p",{className:"support",textContent:f})]:[],c("blockquote",{className:"passage",dir:"auto"},...ge(n)));let{start:h,end:p}=n.ranges[0]??{start:0,end:0},g=this.pageLink(t,o.text.slice(h,p));g&&this.body.append(g)}settle(){let e=this.isOpen&&this.chat.clientWidth<Kn;this.chat.toggleAttribute("data-source",this.isOpen);for(let t of this.chat.children)t instanceof HTMLElement&&t!==this.node&&(t.inert=e)}};var Yn="M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z",be=class{constructor(e,t){this.texts=e;this.panel=t;this.bubble=c("button",{type:"button",className:"bubble",part:"bubble","aria-haspopup":"dialog","aria-expanded":"false"}),this.bubble.append(E(Yn),E(tt),this.unread),this.bubble.onclick=()=>this.isOpen?this.close():this.open(),this.dialog=c("div",{className:"dialog",part:"dialog",role:"dialog","aria-label":e.title,hidden:!0},t),this.dialog.addEventListener("keydown",n=>{n.key!=="Escape"||n.defaultPrevented||(n.stopPropagation(),this.close())}),this.node=c("div",{className:"launcher"},this.dialog,this.bubble),this.label()}texts;panel;node;bubble;dialog;unread=c("span",{className:"unread",hidden:!0,"aria-hidden":"true"});before;get isOpen(){return!this.dialog.hidden}open(){if(this.isOpen)return;let e=document.activeElement;this.before=e instanceof HTMLElement&&e!==document.body?e:void 0,this.dialog.hidden=!1,this.unread.hidden=!0,this.label(),this.panel.querySelector("textarea")?.focus()}close(){if(!this.isOpen)return;this.dialog.hidden=!0,this.label(),(this.before?.isConnected&&!this.before.shadowRoot?this.before:this.bubble).focus()}markUnread(){this.isOpen||(this.unread.hidden=!1,this.label(),y(this.bubble,this.texts.openUnread))}label(){let{texts:e,isOpen:t}=this,n=this.unread.hidden?e.open:e.openUnread;this.bubble.setAttribute("aria-label",t?e.close:n),this.bubble.setAttribute("aria-expanded",String(t))}};function ke(r,e){let t=e.map(l=>r.map(u=>Jn(u,l.text))),n=t.map(l=>l.filter(Boolean).length),s=Math.max(n.indexOf(Math.max(...n)),0),i=e[s]??{text:"",page:void 0},a=(t[s]??[]).flatMap(l=>l??[]);a.sort((l,u)=>l.start-u.start);let o=r.every((l,u)=>t.some(d=>d[u]?.isWhole));return{passage:i,ranges:a,isComplete:o,heading:Xn(i.text,a[0]?.end)}}function Jn(r,e){let t=r.split(`
`).map(n=>n.replace(/^\s*(?:[-*•]|\d+[.)])\s+/,"").trim()).sort((n,s)=>s.length-n.length);for(let[n,s]of[r.trim(),...t].entries()){let i=s?e.indexOf(s):-1,a=n===0||t.length===1;if(i>=0)return{start:i,end:i+s.length,isWhole:a}}}function Xn(r,e=r.length){let t=r.slice(0,e).split(/\n{2,}/).slice(0,-1),n=s=>s.length<=120&&!s.includes(`
`)&&!/[.:;,。：]$/.test(s)&&!/^\W*$/.test(s);return t.filter(n).at(-1)?.trim()??""}var es=.8,ts=.5,I=class{constructor(e){this.answer=e;let{text:t,citations:n,supports:s}=e;this.ranges=Vt(t,n);let i=s.filter(({groundingScore:a})=>a!==void 0);this.scored=i.flatMap(a=>Vt(t,[a]).map(o=>({...o,score:a.groundingScore??0})));for(let a of this.ranges.flatMap(({sources:o})=>o))e.references[a]&&!this.numbers.has(a)&&this.numbers.set(a,this.numbers.size+1)}answer;numbers=new Map;ranges;scored;indexesIn(e,t){let n=this.within(e,t).flatMap(({sources:s})=>s);return[...new Set(n)].filter(s=>this.numbers.has(s))}cited(e,t=0,n=Number.POSITIVE_INFINITY){let s=this.within(t,n).filter(({sources:u})=>u.includes(e)),i=s.map(u=>this.answer.text.slice(u.start,u.end)),a=nt(this.answer.references[e]??{},e),o=ke(i,a.passages);return{number:this.numbers.get(e)??e+1,source:a,evidence:o,support:this.support(e,s,o)}}within(e,t){return this.ranges.filter(n=>n.end>e&&n.end<=t)}support(e,t,n){if(t.length&&n.isComplete)return"verbatim";let s=this.scored.filter(({sources:a})=>a.includes(e)).filter(a=>t.some(({start:o,end:l})=>o<a.end&&a.start<l)).map(({score:a})=>a);if(!s.length)return;let i=Math.min(...s);return i>=es?"strong":i>=ts?"partial":"weak"}};function Vt(r,e){let t=new TextEncoder().encode(r),n=new TextDecoder,s=[],i=0,a=0,o=l=>(l<i&&([i,a]=[0,0]),a+=n.decode(t.subarray(i,l)).length,i=l,a);for(let{startIndex:l,endIndex:u,sources:d}of e){let f=Number(u??0);!f||f>t.length||s.push({start:o(Number(l??0)),end:o(f),sources:(d??[]).map(({referenceId:h})=>Number(h??0))})}return s}function nt(r,e){let t=r.unstructuredDocumentInfo,n=r.chunkInfo,s=t??r.structuredDocumentInfo??n?.documentMetadata??{},i=[...t?.chunkContents??[],...n?[n]:[]],a=s.document??"";return{index:e,title:s.title||a.split("/").pop()||"",document:a,uri:s.uri??"",passages:i.map(o=>({text:o.content??"",page:("pageIdentifier"in o?o.pageIdentifier:void 0)??s.pageIdentifier}))}}function ve(){return{async:!1,breaks:!1,extensions:null,gfm:!0,hooks:null,pedantic:!1,renderer:null,silent:!1,tokenizer:null,walkTokens:null}}var we=ve();var U={exec:()=>null};function F(r){let e=[];return t=>{let n=Math.max(0,Math.min(3,t-1)),s=e[n];return s||(s=r(n),e[n]=s),s}}function x(r,e=""){let t=typeof r=="string"?r:r.source,n={replace:(s,i)=>{let a=typeof i=="string"?i:i.source;return a=a.replace(R.caret,"$1"),t=t.replace(s,a),n},getRegex:()=>new RegExp(t,e)};return n}var Jt=((r="")=>{try{return!!new RegExp("(?<=1)(?<!1)"+r)}catch{return!1}})(),R={l:/^(?: {0,3}\t| {1,4})/gm,c:/^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/,ie:/\\([\[\]])/g,d:/^(\s+)(?:```)/,u:/^\s+/,p:/#$/,h:/^ /,f:/ $/,g:/[ \t]$/,e:/[^ ]/,m:/\n/g,x:/\t/g,i:/^[ \t]+/,b:/\s+/g,r:/^[ \t]*$/,k:/\n[ \t]*\n[ \t]*$/,n:/^ {0,3}>/,v:/\n {0,3}((?:=+|-+)[ \t]*)(?=\n|$)/g,o:/^ {0,3}>[ \t]?/gm,w:/^( {0,3}>)(\t[ \t]*)/gm,y:/^ {0,3}(?:(?:[*+-]|\d{1,9}[.)])(?: |$)|> ?)/,re:/^ {1,4}(?=( {4})*[^ ])/g,T:/^\[[ xX]\][ \t]+\S/,t:/^\[[ xX]\][ \t]+/,S:/\[[ xX]\]/,E:/\n.*\n/,C:/^<(.*)>$/,R:/[:|]/,A:/^\||\| *$/g,L:/\n[ \t]*$/,P:/^ *-+: *$/,N:/^ *:-+: *$/,O:/^ *:-+ *$/,I:/^<a /i,M:/^<\/a>/i,$:/^<(pre|code|kbd|script)(\s|>)/i,z:/^<\/(pre|code|kbd|script)(\s|>)/i,s:/^</,D:/>$/,q:/[\p{L}\p{N}]/u,H:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));/,B:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,F:/[&<>"']/,U:/[&<>"']/g,W:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/,j:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,caret:/(^|[^\[])\^/g,G:/%25/g,Q:/\|/g,V:/ \|/,Z:/\\\|/g,K:/\r\n|\r/g,oe:/^ +$/gm,ae:/^\S*/,le:/\n$/,Y:r=>new RegExp(`^( {0,3}${r})((?:[	 ][^\\n]*)?(?:\\n|$))`),J:F(r=>new RegExp(`^ {0,${r}}(?:[*+-]|\\d{1,9}[.)])((?:[ 	][^\\n]*)?(?:\\n|$))`)),X:F(r=>new RegExp(`^ {0,${r}}((?:-[ 	]*){3,}|(?:_[ 	]*){3,}|(?:\\*[ 	]*){3,})(?:\\n+|$)`)),ee:F(r=>new RegExp(`^ {0,${r}}(?:\`\`\`|~~~)`)),te:F(r=>new RegExp(`^ {0,${r}}#{1,6}(?:\\s|$)`)),a:F(r=>new RegExp(`^ {0,${r}}(?:</?(?:${rt})(?:[ \\t]+|$|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)`,"i")),ne:F(r=>new RegExp(`^ {0,${r}}>`)),se:/^(?: {0,3}(?:(?:[*+-]|\d{1,9}[.)])[ \t]+|>[ \t]?))+/},ns=/^(?:[ \t]*(?:\n|$))+/,ss=/^((?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*(?:\n|$))*)?)+/,is=/^ {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)(?:\n|$)(?:|([\s\S]*?)(?:\n|$))(?: {0,3}(?:(?=`)\1`*|(?=~)\1~*) *(?=\n|$)|$)/,ye=/^ {0,3}((?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/,rs=/^ {0,3}(#{1,6})(?=\s|$)(.*)(?:\n+|$)/,it=/ {0,3}(?:[*+-]|\d{1,9}[.)])/,rt="address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul",ee=x(" {0,3}(?:</?(?:tag)(?:[ \\t]+|\\n|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)").replace("tag",rt).getRegex(),Xt=/^(?!bull |blockCode|fences|blockquote|heading|html|table)((?:.|\n(?!\s*?\n|bull |fences|blockquote|heading|hr|html|table))+?)\n {0,3}(=+|-+)[ \t]*(?:\n+|$)/,os=x(Xt).replace(/bull/g,it).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/\|table/g,"").replace(/html/g,ee).getRegex(),as=x(Xt).replace(/bull/g,it).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/table/g,/ {0,3}\|?(?:[:\- ]*\|)+[\:\- ]*\n/).replace(/html/g,ee).getRegex(),en=/^([^\n]+(?:\n(?!hr|heading|lheading|blockquote|fences|list|html|table|[ \t]+\n)[^\n]+)*)/,ls=/^[^\n]+/,ot=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\\n]|\n(?![ \t]*\n))+/,cs=x(/^ {0,3}\[(label)\]: *(?:\n[ \t]*)?([^<\s][^\s]*|<(?:\\.|[^\n<>\\])*>)(?:(?: +(?:\n[ \t]*)?| *\n[ \t]*)(title))? *(?:\n+|$)/).replace("label",ot).replace("title",/(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\\n]|\n(?!\n))*'|\((?:\\[\s\S]|[^()\\])*\))/).getRegex(),ds=x(/^(bull)([ \t][^\n]*?)?(?:\n|$)/).replace(/bull/g,it).getRegex(),tn=/<!--(?:-?>|[\s\S]*?(?:-->|$))/,us=x("^ {0,3}(?:<(script|pre|style|textarea)[\\s>][\\s\\S]*?(?:</\\1>[^\\n]*\\n*|$)|comment[^\\n]*(\\n+|$)|<\\?[\\s\\S]*?(?:\\?>[^\\n]*\\n*|$)|<![A-Z][\\s\\S]*?(?:>[^\\n]*\\n*|$)|<!\\[CDATA\\[[\\s\\S]*?(?:\\]\\]>[^\\n]*\\n*|$)|</?(tag)(?:[ \\t]+|\\n|/?>|$)[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|<(?!(?:script|pre|style|textarea)(?![a-z0-9-]))([a-z][a-z0-9-]*)(?:attribute)*?[ \\t]*/?>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|</[a-z][a-z0-9-]*\\s*>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$))","i").replace("comment",tn).replace("tag",rt).replace("attribute",/[ \t]+[a-zA-Z:_][\w.:-]*(?:[ \t]*=[ \t]*"[^"\n]*"|[ \t]*=[ \t]*'[^'\n]*'|[ \t]*=[ \t]*[^\s"'=<>`]+)?/).getRegex(),nn=r=>x(en).replace("hr",ye).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("|table","").replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list",r).replace("html",ee).getRegex(),ps=nn(/ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/),hs=nn(/ {0,3}(?:[*+-]|\d{1,9}[.)])(?:[ \t]|\n|$)/),fs=x(/^( {0,3}> ?(?:(?![ \t]*(?:\n|$))(paragraph)|[^\n]*)(?:\n|$))+/).replace("paragraph",hs).getRegex(),sn={blockquote:fs,code:ss,def:cs,fences:is,heading:rs,hr:ye,html:us,lheading:os,list:ds,newline:ns,paragraph:ps,table:U,text:ls},Zt=x("^ *([^\\n ].*)\\n {0,3}((?:\\| *)?:?-+:? *(?:\\| *:?-+:? *)*(?:\\| *)?)(?:\\n((?:(?! *\\n|hr|heading|blockquote|code|fences|list|html).*(?:\\n|$))*)\\n*|$)").replace("hr",ye).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("blockquote"," {0,3}>").replace("code","(?: {4}| {0,3}	)[^\\n]").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]").replace("html",ee).getRegex(),gs={...sn,lheading:as,table:Zt,paragraph:x(en).replace("hr",ye).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("table",Zt).replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]+[^ \\t\\n]").replace("html",ee).getRegex()},ms=/^\\([!"#$%&'()*+,\-./:;<=>?@\[\]\\^_`{|}~])/,xs=/^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/,rn=/^( {2,}|\\)\n(?!\s*$)[ \t]*/,bs=/^(`+|[^`])(?:(?= {2,}\n)|[\s\S]*?(?:(?=[\\<!\[`*_]|\b_|$)|[^ ](?= {2,}\n)))/,M=/[\p{P}\p{S}]/u,Te=/[\s\p{P}\p{S}]/u,at=/[^\s\p{P}\p{S}]/u,ks=x(/^((?![*_])punctSpace)/,"u").replace(/punctSpace/g,Te).getRegex();var on=/(?!~)[\p{P}\p{S}]/u,vs=/(?!~)[\s\p{P}\p{S}]/u,ws=/(?:[^\s\p{P}\p{S}]|~)/u,ys=x(/link|precode-code|html/,"g").replace("link",/\[(?:[^\[\]`]|(?<a>`+)[^`]+\k<a>(?!`))*?\]\((?:\\[\s\S]|[^\\\(\)]|\((?:\\[\s\S]|[^\\\(\)])*\))*\)/).replace("precode-",Jt?"(?<!`)()":"(^^|[^`])").replace("code",/(?<b>`+)[^`]+\k<b>(?!`)/).replace("html",/<(?! )[^<>]*?>/).getRegex(),an=/^(?:\*+(?:((?!\*)punct)|([^\s*]))?)|^_+(?:((?!_)punct)|([^\s_]))?/,Ts=x(an,"u").replace(/punct/g,M).getRegex(),Ss=x(an,"u").replace(/punct/g,on).getRegex(),ln="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)punctSpace(\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|notPunctSpace(\\*+)(?=notPunctSpace)",Es=x(ln,"gu").replace(/notPunctSpace/g,at).replace(/punctSpace/g,Te).replace(/punct/g,M).getRegex(),Cs=x(ln,"gu").replace(/notPunctSpace/g,ws).replace(/punctSpace/g,vs).replace(/punct/g,on).getRegex(),Rs=x("^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)punctSpace(_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)","gu").replace(/notPunctSpace/g,at).replace(/punctSpace/g,Te).replace(/punct/g,M).getRegex(),As=x(/^~~?(?:((?!~)punct)|[^\s~])/,"u").replace(/punct/g,M).getRegex(),Ls="^[^~]+(?=[^~])|(?!~)punct(~~?)(?=[\\s]|$)|notPunctSpace(~~?)(?!~)(?=punctSpace|$)|(?!~)punctSpace(~~?)(?=notPunctSpace)|[\\s](~~?)(?!~)(?=punct)|(?!~)punct(~~?)(?!~)(?=punct)|notPunctSpace(~~?)(?=notPunctSpace)",Ps=x(Ls,"gu").replace(/notPunctSpace/g,at).replace(/punctSpace/g,Te).replace(/punct/g,M).getRegex(),Ns=x(/\\(punct)/,"gu").replace(/punct/g,M).getRegex(),_s=x(/(`+)(?:[^`]|[^`][\s\S]*?[^`])\1(?!`)|`+|\\(punct)/,"gu").replace(/punct/g,M).getRegex(),Os=x(/^<(scheme:[^\s\x00-\x1f<>]*|email)>/).replace("scheme",/[a-zA-Z][a-zA-Z0-9+.-]{1,31}/).replace("email",/[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+(@)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+(?![-_])/).getRegex(),Is=x(tn).replace("(?:-->|$)","-->").getRegex(),Ms=x("^comment|^</[a-zA-Z][a-zA-Z0-9-]*\\s*>|^<[a-zA-Z][a-zA-Z0-9-]*(?:attribute)*?\\s*/?>|^<\\?[\\s\\S]*?\\?>|^<![a-zA-Z]+\\s[\\s\\S]*?>|^<!\\[CDATA\\[[\\s\\S]*?\\]\\]>").replace("comment",Is).replace("attribute",/\s+[a-zA-Z:_][\w.:-]*(?:\s*=\s*"[^"]*"|\s*=\s*'[^']*'|\s*=\s*[^\s"'=<>`]+)?/).getRegex(),cn=/\[(?:\\[\s\S]|[^\[\]\\])*\]/,dn=x(/(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\])|[^\[\]\\`])*?/).replace("brackets",cn).getRegex(),$s=x(/^!?\[(label)\]\([ \t\n]*(href)(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)(title))?[ \t\n]*\)/).replace("label",dn).replace("href",/<(?:\\.|[^\n<>\\])*>|(?!<)[^ \t\n\x00-\x1f]+|(?=\))/).replace("title",/"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^)\\])*\)/).getRegex(),zs=x(/^!?\[(label)\]\[(ref)\]/).replace("label",dn).replace("ref",ot).getRegex(),Ds=x(/^!?\[(ref)\](?:\[\])?/).replace("ref",ot).getRegex(),Kt=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\]){1,999}/,qs=x(/(?:[^\[\]\\`]*(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\]))){0,999}?[^\[\]\\`]*?/).replace("brackets",cn).getRegex(),Hs=x("reflink|nolink(?!\\()","g").replace("reflink",x(/^!?\[(label)\]\[(ref)\]/).replace("label",qs).replace("ref",Kt).getRegex()).replace("nolink",x(/^!?\[(ref)\](?:\[\])?/).replace("ref",Kt).getRegex()).getRegex(),Yt=/[hH][tT][tT][pP][sS]?|[fF][tT][pP]/,Bs=/[A-Za-z0-9._+-]+@[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/,Fs=x(/(?:mailto:email|xmpp:email(?:\/[A-Za-z0-9@.]+)?)/).replace(/email/g,Bs).getRegex(),un={_backpedal:U,anyPunctuation:Ns,anyPunctuationOutsideCode:_s,autolink:Os,blockSkip:ys,br:rn,code:xs,del:U,delLDelim:U,delRDelim:U,emStrongLDelim:Ts,emStrongRDelimAst:Es,emStrongRDelimUnd:Rs,escape:ms,link:$s,nolink:Ds,punctuation:ks,reflink:zs,reflinkSearch:Hs,tag:Ms,text:bs,url:U},st={...un,emStrongRDelimAst:Cs,emStrongLDelim:Ss,delLDelim:As,delRDelim:Ps,url:x(/^emailProtocol|^((?:protocol):\/\/|www\.)(?:[a-zA-Z0-9\-]+\.?)+[^\s<]*|^email/).replace("emailProtocol",Fs).replace("protocol",Yt).replace("email",/[A-Za-z0-9._+-]+(@)[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/).getRegex(),_backpedal:/(?:[^?!.,:;*_'"~()&]+|\([^)]*\)|&(?![a-zA-Z0-9]+;$)|[?!.,:;*_'"~)]+(?!$))+/,del:/^(~~?)(?=[^\s~])((?:\\[\s\S]|[^\\])*?(?:\\[\s\S]|[^\s~\\]))\1(?=[^~]|$)/,text:x(/^(?:[^a-zA-Z0-9](?=emailProtocol)|(`+|~+|[^`~])(?:(?=[`~])|(?= {2,}\n)|(?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@)|[\s\S]*?(?:(?=[\\<!\[`*~_]|\b_|protocol:\/\/|wwwStart|$)|[^ ](?= {2,}\n)|[^a-zA-Z0-9](?=emailProtocol)|[^a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-](?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@))))/).replace("protocol",Yt).replace(/emailProtocol/g,/(?:mailto|xmpp):/).replace("wwwStart",Jt?"(?<![^\\s*_~(])www\\.":"www\\.").getRegex()},Us={...st,br:x(rn).replace("{2,}","*").getRegex(),text:x(st.text).replace("\\b_","\\b_| {2,}\\n").replace(/\{2,\}/g,"*").getRegex()},Se={normal:sn,gfm:gs},te={normal:un,gfm:st,breaks:Us};function pn(r){return R.H.test(r)?r.replace(R.B,(e,t,n)=>{if(t===void 0&&n===void 0)return"&amp;";let s=t===void 0?Number.parseInt(n,16):Number.parseInt(t,10);return s===0||s>1114111||s>=55296&&s<=57343?"�":s===38?"&amp;":String.fromCodePoint(s)}):r}function lt(r,e){let t=r.replace(R.Q,(i,a,o)=>{let l=!1,u=a;for(;--u>=0&&o[u]==="\\";)l=!l;return l?"|":" |"}),n=t.split(R.V),s=0;if(n[0].trim()||n.shift(),n.length>0&&!n.at(-1)?.trim()&&n.pop(),e)if(n.length>e)n.splice(e);else for(;n.length<e;)n.push("");for(;s<n.length;s++)n[s]=n[s].trim().replace(R.Z,"|");return n}function P(r,e,t){let n=r.length;if(n===0)return"";let s=0;for(;s<n;){let i=r.charAt(n-s-1);if(i===e&&!t)s++;else if(i!==e&&t)s++;else break}return r.slice(0,n-s)}function ct(r){let e=r.split(`
`),t=e.length-1;for(;t>=0&&R.r.test(e[t]);)t--;return e.length-t<=2?r:e.slice(0,t+1).join(`
`)}function j(r){return r.trim().replace(R.b," ").toLowerCase().toUpperCase().toLowerCase()}function dt(r,e){if(r.indexOf(e[0])===-1&&r.indexOf(e[1])===-1)return-1;let t=0;for(let n=0;n<r.length;n++)if(r[n]==="\\")n++;else if(r[n]===e[0])t++;else if(r[n]===e[1]&&(t--,t<0))return n;return t>0?-2:-1}var W=new WeakMap;function ut(r){let e={"*":-1,_:-1},t=-1,n=r.length;for(let s=0;s<n;s++){let i=r[s];if(i!=="*"&&i!=="_"&&i!=="~")continue;let a=s===0?`
`:r[s-1],o=s+1;for(;o<n&&r[o]===i;)o++;a!==" "&&a!=="	"&&a!==`
`&&a!=="\r"&&a!=="\f"&&(i==="~"?t=s:e[i]=s),s=o-1}return{maskedSrc:r,lastPossibleEmStrongCloserIndex:e,lastPossibleDelCloserIndex:t}}function hn(r,e){let t=ut(e),n=W.get(r);n?n.push(t):W.set(r,[t])}function fn(r){let e=W.get(r);e&&(e.pop(),e.length===0&&W.delete(r))}function Ee(r,e,t){let n=W.get(r)?.at(-1);return n&&n.maskedSrc===e?n.lastPossibleEmStrongCloserIndex[t]:ut(e).lastPossibleEmStrongCloserIndex[t]}function Ce(r,e){let t=W.get(r)?.at(-1);return t&&t.maskedSrc===e?t.lastPossibleDelCloserIndex:ut(e).lastPossibleDelCloserIndex}function Re(r,e=0){let t=e,n="";for(let s of r)if(s==="	"){let i=4-t%4;n+=" ".repeat(i),t+=i}else n+=s,t++;return n}function Ws(r,e){let t="";for(let n=0;n<r.length;n++){if(r[n]==="`"){let s=e.inline.code.exec(r.slice(n));if(s){t+=s[0],n+=s[0].length-1;continue}}if(r[n]==="\\"&&(r[n+1]==="["||r[n+1]==="]")){t+=r[n+1],n++;continue}t+=r[n]}return t}function gn(r,e,t,n,s){let i=e.href,a=e.title||null,o=Ws(r[1],s),l=r[0].charAt(0)==="!",u=n.state.inLink,d=n.state.linkEmitted,f=n.state.inRawBlock;n.state.inLink=!0,n.state.linkEmitted=!1;let h=n.inlineTokens(o),p=n.state.linkEmitted;if(n.state.linkEmitted=d,n.state.inLink=u,!l){if(p){n.state.inRawBlock=f;return}n.state.linkEmitted=!0}return{type:l?"image":"link",raw:t,href:i,title:a,text:o,tokens:h}}function js(r,e,t){let n=r.match(t.other.d);if(n===null)return e;let s=n[1];return e.split(`
`).map(i=>{let a=i.match(t.other.u);if(a===null)return i;let[o]=a;return i.slice(Math.min(o.length,s.length))}).join(`
`)}function mn(r,e,t,n){if(!e.includes("<"))return!1;for(let s=0;s<e.length;s++){if(e[s]==="\\"){s++;continue}if(e[s]==="`"){let o=n.inline.code.exec(e.slice(s));if(o){s+=o[0].length-1;continue}}if(e[s]!=="<")continue;let i=r.slice(t+s),a=n.inline.tag.exec(i)||n.inline.autolink.exec(i);if(a){if(a[0].length>e.length-s)return!0;s+=a[0].length-1}}return!1}var $=class{options;rules;lexer;constructor(e){this.options=e||we}space(e){let t=this.rules.block.newline.exec(e);if(t&&t[0].length>0)return{type:"space",raw:t[0]}}code(e){let t=this.rules.block.code.exec(e);if(t){let n=ct(t[0]),s=n.replace(this.rules.other.l,"");return{type:"code",raw:n,codeBlockStyle:"indented",text:s}}}fences(e){let t=this.rules.block.fences.exec(e);if(t){let n=t[0],s=js(n,t[3]||"",this.rules);return t[3]!==void 0&&(s===""||s.endsWith(`
`))&&(s+=`
`),{type:"code",raw:n,lang:t[2]?t[2].trim().replace(this.rules.inline.anyPunctuation,"$1"):t[2],text:s}}}heading(e){let t=this.rules.block.heading.exec(e);if(t){let n=t[2].trim();if(this.rules.other.p.test(n)){let s=P(n,"#");(!s||this.rules.other.g.test(s))&&(n=s.trim())}return{type:"heading",raw:P(t[0],`
`),depth:t[1].length,text:n,tokens:this.lexer.inline(n)}}}hr(e){let t=this.rules.block.hr.exec(e);if(t)return{type:"hr",raw:P(t[0],`
`)}}blockquote(e){let t=this.rules.block.blockquote.exec(e);if(t){let n=P(t[0],`
`).split(`
`),s="",i="",a=[];for(;n.length>0;){let o=!1,l=[],u;for(u=0;u<n.length;u++)if(this.rules.other.n.test(n[u]))l.push(n[u]),o=!0;else if(!o)l.push(n[u]);else break;n=n.slice(u);let d=l.join(`
`),f=d.replace(this.rules.other.w,(g,m,k)=>k.startsWith(" ")?m+" "+k.slice(1):m+Re(k,m.length)).replace(this.rules.other.v,`
    $1`).replace(this.rules.other.o,"");s=s?`${s}
${d}`:d,i=i?`${i}
${f}`:f;let h=this.lexer.state.top;if(this.lexer.state.top=!0,this.lexer.blockTokens(f,a,!0),this.lexer.state.top=h,n.length===0)break;let p=a.at(-1);if(p?.type==="code"||p?.type==="heading"||p?.type==="hr"||p?.type==="html"||p?.type==="table")break;if(p?.type==="blockquote"){let g=p,m=n.join(`
`),k=g.raw+`
`+m.replace(this.rules.other.o,""),b=this.blockquote(k);a[a.length-1]=b;let v=k.substring(b.raw.length).replace(/^\n/,""),N=v?v.split(`
`).length:0,w=N?n.slice(0,-N):n;if(w.length>0&&(s=`${s}
${w.join(`
`)}`),i=i.substring(0,i.length-g.text.length)+b.text,n=n.slice(w.length),n.length>0&&this.rules.other.n.test(n[0]))continue;break}else if(p?.type==="list"){let g=p,m=g.raw+`
`+n.join(`
`),k=this.list(m);a[a.length-1]=k;let b=k.raw.length>g.raw.length?m.slice(g.raw.length+1,k.raw.length).split(`
`).length:0;if(b>0){let v=n.slice(0,b).join(`
`);s=`${s}
${v}`,i=`${i}
${v}`}if(n=n.slice(b),n.length>0&&!this.rules.other.n.test(n[0]))break;continue}}return{type:"blockquote",raw:s,tokens:a,text:i}}}list(e){let t=this.rules.block.list.exec(e);if(t){if(this.lexer.state.lastToken?.type==="text"&&!this.rules.other.c.test(e))return;let n=e,s=()=>n.length-e.length,i=t[1].trim(),a=i.length>1,o={type:"list",raw:"",ordered:a,start:a?+i.slice(0,-1):"",loose:!1,items:[]};i=a?`\\d{1,9}\\${i.slice(-1)}`:`\\${i}`;let l=this.rules.other.Y(i),u=!1;for(;e;){let h=!1,p="";if(!(t=l.exec(e))||this.rules.block.hr.test(e))break;let g=s();e=e.substring(t[0].length);let m=t[2].split(`
`,1)[0],k=t[1].length,b=m.replace(this.rules.other.i,z=>Re(z,k)),v=e.split(`
`,1)[0],N=!b.trim(),w=0;if(N?w=k+1:(w=b.search(this.rules.other.e),w=w>4?1:w,p=b.slice(w),w+=k),N&&this.rules.other.r.test(v)&&(e=e.substring(v.length+1),h=!0),!h){let z=this.rules.other.J(w),V=this.rules.other.X(w),se=this.rules.other.ee(w),O=this.rules.other.te(w),Z=this.rules.other.a(w),ie=this.rules.other.ne(w),je=!1;for(;e;){let mt=e.split(`
`,1)[0],K;if(v=mt,K=v.replace(this.rules.other.i,C=>Re(C)),se.test(v)||O.test(v)||Z.test(v)||ie.test(v)||z.test(v)||V.test(v))break;if(K.search(this.rules.other.e)>=w||!v.trim())p+=`
`+K.slice(w),je=!1;else{if(N)break;let C=b;if(!p.includes(`
`)&&!b.includes("	")){let D;for(;!V.test(C)&&(D=this.rules.other.y.exec(C));)C=C.slice(D[0].length);if(!C.trim())break}if(C.replace(this.rules.other.x,"    ").search(this.rules.other.e)>=4||se.test(C)||O.test(C)||Z.test(C)||V.test(C))break;if(!je){let D=b.replace(this.rules.other.se,"");if(this.rules.block.fences.test(D)||this.rules.block.heading.test(D)||this.rules.block.hr.test(D))break}let On=/^ {0,3}(?:=+|-+) *$/.test(v)&&this.rules.block.lheading.test(`${b}
${v}`)?`    ${K.replace(/^ {0,3}/,"")}`:v;p+=`
`+On,je=!0}N=!v.trim(),e=e.substring(mt.length+1),b=K.slice(w)}}let Q=n.slice(g,s());o.loose||(u?o.loose=!0:this.rules.other.k.test(Q)&&(u=!0)),o.items.push({type:"list_item",raw:Q,task:!!this.options.gfm&&this.rules.other.T.test(p),loose:!1,text:p,tokens:[]})}let d=o.items.at(-1);if(d)d.raw=d.raw.trimEnd(),d.text=d.text.trimEnd();else return;o.raw=n.slice(0,s()).trimEnd();let f=[];for(let h of o.items)if(this.lexer.state.top=!1,f.push(this.lexer.inlineQueue.length),h.tokens=this.lexer.blockTokens(h.text,[]),!o.loose){let p=h.tokens.filter(m=>m.type==="space"),g=p.length>0&&p.some(m=>this.rules.other.E.test(m.raw));o.loose=g}for(let h=0;h<o.items.length;h++){let p=o.items[h],g=p.tokens[0];if(p.task&&(g?.type==="text"||g?.type==="paragraph")){p.text=p.text.replace(this.rules.other.t,""),g.raw=g.raw.replace(this.rules.other.t,""),g.text=g.text.replace(this.rules.other.t,"");let m=this.lexer.inlineQueue;for(let b=f[h];b<m.length;b++)if(m[b].tokens===g.tokens){m[b].src=m[b].src.replace(this.rules.other.t,"");break}let k=this.rules.other.S.exec(p.raw);if(k){let b={type:"checkbox",raw:k[0]+" ",checked:k[0]!=="[ ]"};p.checked=b.checked,o.loose?p.tokens[0]&&["paragraph","text"].includes(p.tokens[0].type)&&"tokens"in p.tokens[0]&&p.tokens[0].tokens?(p.tokens[0].raw=b.raw+p.tokens[0].raw,p.tokens[0].text=b.raw+p.tokens[0].text,p.tokens[0].tokens.unshift(b)):p.tokens.unshift({type:"paragraph",raw:b.raw,text:b.raw,tokens:[b]}):p.tokens.unshift(b)}}else p.task&&(p.task=!1)}if(o.loose)for(let h of o.items){h.loose=!0;for(let p of h.tokens)p.type==="text"&&(p.type="paragraph")}return o}}html(e){let t=this.rules.block.html.exec(e);if(t){if(this.lexer.state.lastToken?.type==="paragraph"&&!this.rules.other.a(4).test(e))return;let n=ct(t[0]);return{type:"html",block:!0,raw:n,pre:t[1]==="pre"||t[1]==="script"||t[1]==="style",text:n}}}def(e){let t=this.rules.block.def.exec(e);if(t){if(!this.rules.other.s.test(t[2])&&dt(t[2],"()")!==-1)return;let n=j(t[1]),s=t[2]?t[2].replace(this.rules.other.C,"$1").replace(this.rules.inline.anyPunctuation,"$1"):"",i=t[3]?t[3].substring(1,t[3].length-1).replace(this.rules.inline.anyPunctuation,"$1"):t[3];return{type:"def",tag:n,raw:P(t[0],`
`),href:s,title:i}}}table(e){let t=this.rules.block.table.exec(e);if(!t||!this.rules.other.R.test(t[2]))return;let n=lt(t[1]),s=t[2].replace(this.rules.other.A,"").split("|"),i=t[3]?.trim()?t[3].replace(this.rules.other.L,"").split(`
`):[],a={type:"table",raw:P(t[0],`
`),header:[],align:[],rows:[]};if(n.length===s.length){for(let o of s)this.rules.other.P.test(o)?a.align.push("right"):this.rules.other.N.test(o)?a.align.push("center"):this.rules.other.O.test(o)?a.align.push("left"):a.align.push(null);for(let o=0;o<n.length;o++)a.header.push({text:n[o],tokens:this.lexer.inline(n[o]),header:!0,align:a.align[o]});for(let o of i)a.rows.push(lt(o,a.header.length).map((l,u)=>({text:l,tokens:this.lexer.inline(l),header:!1,align:a.align[u]})));return a}}lheading(e){let t=this.rules.block.lheading.exec(e);if(t){let n=t[1].trim();return{type:"heading",raw:P(t[0],`
`),depth:t[2].charAt(0)==="="?1:2,text:n,tokens:this.lexer.inline(n)}}}paragraph(e){let t=this.rules.block.paragraph.exec(e);if(t){let n=t[1].charAt(t[1].length-1)===`
`?t[1].slice(0,-1):t[1];return{type:"paragraph",raw:t[0],text:n,tokens:this.lexer.inline(n)}}}text(e){let t=this.rules.block.text.exec(e);if(t)return{type:"text",raw:t[0],text:t[0],tokens:this.lexer.inline(t[0])}}escape(e){if(e.charCodeAt(0)!==92)return;let t=this.rules.inline.escape.exec(e);if(t)return{type:"escape",raw:t[0],text:t[1]}}tag(e){if(e.charCodeAt(0)!==60)return;let t=this.rules.inline.tag.exec(e);if(t)return!this.lexer.state.inLink&&this.rules.other.I.test(t[0])?this.lexer.state.inLink=!0:this.lexer.state.inLink&&this.rules.other.M.test(t[0])&&(this.lexer.state.inLink=!1),!this.lexer.state.inRawBlock&&this.rules.other.$.test(t[0])?this.lexer.state.inRawBlock=!0:this.lexer.state.inRawBlock&&this.rules.other.z.test(t[0])&&(this.lexer.state.inRawBlock=!1),{type:"html",raw:t[0],inLink:this.lexer.state.inLink,inRawBlock:this.lexer.state.inRawBlock,block:!1,text:t[0]}}link(e){if(this.lexer.state.linkParenPossible===!1)return;let t=e.charCodeAt(0);if(t!==91&&t!==33)return;let n=this.rules.inline.link.exec(e);if(n){let s=n[0].charAt(0)==="!"?2:1;if(mn(e,n[1],s,this.rules))return;let i=n[2].trim();if(this.rules.other.s.test(i)){if(!this.rules.other.D.test(i))return;let u=P(i.slice(0,-1),"\\");if((i.length-u.length)%2===0)return}else{let u=dt(n[2],"()");if(u===-2)return;if(u>-1){let f=(n[0].indexOf("!")===0?5:4)+n[1].length+u;n[2]=n[2].substring(0,u),n[0]=n[0].substring(0,f).trim(),n[3]=""}}let a=P(n[0].slice(0,-1),"\\");if((n[0].length-a.length)%2===0)return;let o=n[2],l="";return l=n[3]?n[3].slice(1,-1):"",o=o.trim(),this.rules.other.s.test(o)&&(o=o.slice(1,-1)),gn(n,{href:o&&o.replace(this.rules.inline.anyPunctuation,"$1"),title:l&&l.replace(this.rules.inline.anyPunctuation,"$1")},n[0],this.lexer,this.rules)}}reflink(e,t){let n=e.charCodeAt(0);if(n!==91&&n!==33)return;let s;if((s=this.rules.inline.reflink.exec(e))||(s=this.rules.inline.nolink.exec(e))){let i=s[0].charAt(0)==="!"?2:1;if(mn(e,s[1],i,this.rules))return;let a=t[j(s[2]||s[1])];if(!a){let o=s[0].charAt(0);return{type:"text",raw:o,text:o}}return gn(s,a,s[0],this.lexer,this.rules)}}emStrong(e,t,n=""){let s=this.rules.inline.emStrongLDelim.exec(e);if(!s||!s[1]&&!s[2]&&!s[3]&&!s[4])return;let i=s[0][0],a=n===i,o=t.length-e.length,l=o;for(;l>0&&t[l-1]===i;)l--;let u=[...t.slice(Math.max(0,l-2),l)].at(-1)??"",d=u==="*"||u==="_"||!!this.rules.inline.punctuation.exec(u);l<o&&(n=u);let f=l<o?d:n==="*"||n==="_"||!!this.rules.inline.punctuation.exec(n);if(s[4]&&n.match(this.rules.other.q))return;let h=s[1]||s[3]||"";if(!h||!n||f){let p=[...s[0]].length-1,g,m,k=p,b=0,v=o-l+p,N=!!u.trim()&&(!!h||i==="*"&&!d);if(i!=="*"&&i!=="_")return;let w=i==="*"?this.rules.inline.emStrongRDelimAst:this.rules.inline.emStrongRDelimUnd,Q=Ee(this,t,i),z=t.length-e.length+p;if(Q<z)return;t=t.slice(-1*e.length+p);let V=Q-z;for(w.lastIndex=0;(s=w.exec(t))!==null&&!(s.index>V);){if(g=s[1]||s[2]||s[3]||s[4]||s[5]||s[6],!g)continue;if(m=[...g].length,s[3]||s[4]){k+=m;continue}else if((s[5]||s[6]||N)&&v%3&&!((v+m)%3)){if(a&&(s[5]||s[6]))break;b+=m;continue}if(k-=m,k>0)continue;m=Math.min(m,m+k+b);let se=[...s[0]][0].length,O=e.slice(0,p+s.index+se+m);if(Math.min(p,m)%2){let ie=O.slice(1,-1);return{type:"em",raw:O,text:ie,tokens:this.lexer.inlineTokens(ie)}}let Z=O.slice(2,-2);return{type:"strong",raw:O,text:Z,tokens:this.lexer.inlineTokens(Z)}}}}codespan(e){if(e.charCodeAt(0)!==96)return;let t=this.rules.inline.code.exec(e);if(t){let n=t[2].replace(this.rules.other.m," "),s=this.rules.other.e.test(n),i=this.rules.other.h.test(n)&&this.rules.other.f.test(n);return s&&i&&(n=n.substring(1,n.length-1)),{type:"codespan",raw:t[0],text:n}}}br(e){let t=e.charCodeAt(0);if(t!==32&&t!==92&&t!==10)return;let n=this.rules.inline.br.exec(e);if(n)return{type:"br",raw:n[0]}}del(e,t,n=""){if(e.charCodeAt(0)!==126)return;let s=this.rules.inline.delLDelim.exec(e);if(!s)return;if(!(s[1]||"")||!n||this.rules.inline.punctuation.exec(n)){let a=[...s[0]].length-1,o,l,u=a,d=this.rules.inline.delRDelim,f=Ce(this,t),h=t.length-e.length+a;if(f<h)return;t=t.slice(-1*e.length+a);let p=f-h;for(d.lastIndex=0;(s=d.exec(t))!==null&&!(s.index>p);){if(o=s[1]||s[2]||s[3]||s[4]||s[5]||s[6],!o||(l=[...o].length,l!==a))continue;if(s[3]||s[4]){u+=l;continue}if(u-=l,u>0)continue;l=Math.min(l,l+u);let g=[...s[0]][0].length,m=e.slice(0,a+s.index+g+l),k=m.slice(a,-a);return{type:"del",raw:m,text:k,tokens:this.lexer.inlineTokens(k)}}}}autolink(e){if(e.charCodeAt(0)!==60)return;let t=this.rules.inline.autolink.exec(e);if(t){let n,s;return t[2]==="@"?(n=t[1],s="mailto:"+n):(n=t[1],s=n),{type:"link",raw:t[0],text:n,href:s,autolink:!0,tokens:[{type:"text",raw:n,text:n}]}}}url(e){let t;if(t=this.rules.inline.url.exec(e)){let n,s;if(t[2]==="@")n=t[0],s="mailto:"+n;else{let i;do i=t[0],t[0]=this.rules.inline._backpedal.exec(t[0])?.[0]??"";while(i!==t[0]);n=t[0],t[1]==="www."?s="http://"+t[0]:s=t[0]}return{type:"link",raw:t[0],text:n,href:s,autolink:!0,tokens:[{type:"text",raw:n,text:n}]}}}inlineText(e){let t=this.rules.inline.text.exec(e);if(t){let n=this.lexer.state.inRawBlock;return{type:"text",raw:t[0],text:n?t[0]:pn(t[0]),escaped:n}}}};var ne=class r{tokens;options;state;inlineQueue;tokenizer;constructor(e){this.tokens=[],this.tokens.links=Object.create(null),this.options=e||we,this.options.tokenizer=this.options.tokenizer||new $,this.tokenizer=this.options.tokenizer,this.tokenizer.options=this.options,this.tokenizer.lexer=this,this.inlineQueue=[],this.state={inLink:!1,inRawBlock:!1,linkEmitted:!1,linkParenPossible:!0,top:!0};let t={other:R,block:Se.normal,inline:te.normal};this.options.gfm&&(t.block=Se.gfm,this.options.breaks?t.inline=te.breaks:t.inline=te.gfm),this.tokenizer.rules=t}static get rules(){return{block:Se,inline:te}}static lex(e,t){return new r(t).lex(e)}static lexInline(e,t){return new r(t).inlineTokens(e)}lex(e){e=e.replace(R.K,`
`),this.blockTokens(e,this.tokens);for(let t=0;t<this.inlineQueue.length;t++){let n=this.inlineQueue[t];this.state.inRawBlock=!1,this.inlineTokens(n.src,n.tokens)}return this.inlineQueue=[],this.tokens}blockTokens(e,t=[],n=!1){this.tokenizer.lexer=this;let s=this.state.lastToken,i=1/0,a,o=this.options.gfm&&!0&&this.tokenizer.paragraph===$.prototype.paragraph;for(;e;){if(e.length<i)i=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}this.state.lastToken=t.at(-1);let l;if(this.options.extensions?.block?.some(d=>(l=d.call({lexer:this},e,t))?(e=e.substring(l.raw.length),t.push(l),!0):!1))continue;if(l=this.tokenizer.space(e)){e=e.substring(l.raw.length);let d=t.at(-1);l.raw.length===1&&d!==void 0?d.raw+=`
`:t.push(l);continue}if(l=this.tokenizer.code(e)){e=e.substring(l.raw.length);let d=t.at(-1);d?.type==="paragraph"||d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.text,this.inlineQueue.at(-1).src=d.text):t.push(l);continue}if(l=this.tokenizer.fences(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.heading(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.hr(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.blockquote(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.list(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.html(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.def(e)){e=e.substring(l.raw.length);let d=t.at(-1);d?.type==="paragraph"||d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.raw,this.inlineQueue.at(-1).src=d.text):(this.tokens.links[l.tag]||(this.tokens.links[l.tag]={href:l.href,title:l.title}),t.push(l));continue}if(l=this.tokenizer.table(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.lheading(e)){e=e.substring(l.raw.length),t.push(l);continue}let u=e;if(this.options.extensions?.startBlock){let d=1/0,f=e.slice(1),h;this.options.extensions.startBlock.forEach(p=>{h=p.call({lexer:this},f),typeof h=="number"&&h>=0&&(d=Math.min(d,h))}),d<1/0&&d>=0&&(u=e.substring(0,d+1))}if(this.state.top&&(l=this.tokenizer.paragraph(u))){let d=t.at(-1);(n||d===a&&o)&&d?.type==="paragraph"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=d.text,a=d):(t.push(l),a=l),n=u.length!==e.length,e=e.substring(l.raw.length);continue}if(l=this.tokenizer.text(e)){e=e.substring(l.raw.length);let d=t.at(-1);d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=d.text):t.push(l);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return this.state.top=!0,this.state.lastToken=s,t}inline(e,t=[]){return this.inlineQueue.push({src:e,tokens:t}),t}linkInText(e){if(!e.includes("["))return!1;let t=this.tokenizer.rules.inline.link;for(let n of e.matchAll(this.tokenizer.rules.inline.blockSkip))if(t.test(n[0])&&e.charAt(n.index-1)!=="!")return!0;for(let n of e.matchAll(this.tokenizer.rules.inline.reflinkSearch)){let s=n[0],i=s.lastIndexOf("[");if(!(s.charAt(0)==="!"||!Object.hasOwn(this.tokens.links,j(s.slice(i+1,-1))))&&!(i>1&&this.linkInText(s.slice(1,i-1))))return!0}return!1}inlineTokens(e,t=[]){this.tokenizer.lexer=this;let n=this.state.linkParenPossible;this.state.linkParenPossible=e.includes(")");try{return this.#t(e,t)}finally{this.state.linkParenPossible=n}}#t(e,t){let n=e.includes("*")||e.includes("_")||e.includes("~"),s=n||this.options.hooks?.emStrongMask||this.tokenizer.emStrong!==$.prototype.emStrong||this.tokenizer.del!==$.prototype.del?this.#s(e):e;if(!n)return this.#e(e,s,t);hn(this.tokenizer,s);try{return this.#e(e,s,t)}finally{fn(this.tokenizer)}}#e(e,t,n){let s=!1,i="",a=1/0;for(;e;){if(e.length<a)a=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}s||(i=""),s=!1;let o;if(this.options.extensions?.inline?.some(d=>(o=d.call({lexer:this},e,n))?(e=e.substring(o.raw.length),n.push(o),!0):!1))continue;if(o=this.tokenizer.escape(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.tag(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.link(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.reflink(e,this.tokens.links)){e=e.substring(o.raw.length);let d=n.at(-1);o.type==="text"&&d?.type==="text"?(d.raw+=o.raw,d.text+=o.text):n.push(o);continue}let l=e[0];if(l==="*"||l==="_"){let d=t.length-e.length;if(Ee(this.tokenizer,t,l)<=d){let h=1;for(;h<e.length&&e.charCodeAt(h)===l.charCodeAt(0);)h++;let p=e.substring(0,h),g=n.at(-1);g?.type==="text"&&!g.escaped?(g.raw+=p,g.text+=p):n.push({type:"text",raw:p,text:p,escaped:!1}),e=e.substring(h),i=l,s=!0;continue}}else if(l==="~"){let d=t.length-e.length;if(Ce(this.tokenizer,t)<=d){let h=1;for(;h<e.length&&e.charCodeAt(h)===126;)h++;let p=e.substring(0,h),g=n.at(-1);g?.type==="text"&&!g.escaped?(g.raw+=p,g.text+=p):n.push({type:"text",raw:p,text:p,escaped:!1}),e=e.substring(h),i=l,s=!0;continue}}if(o=this.tokenizer.emStrong(e,t,i)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.codespan(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.br(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.del(e,t,i)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.autolink(e)){e=e.substring(o.raw.length),n.push(o);continue}if(!this.state.inLink&&(o=this.tokenizer.url(e))){e=e.substring(o.raw.length),n.push(o);continue}let u=e;if(this.options.extensions?.startInline){let d=1/0,f=e.slice(1),h;this.options.extensions.startInline.forEach(p=>{h=p.call({lexer:this},f),typeof h=="number"&&h>=0&&(d=Math.min(d,h))}),d<1/0&&d>=0&&(u=e.substring(0,d+1))}if(o=this.tokenizer.inlineText(u)){e=e.substring(o.raw.length),o.raw.slice(-1)!=="_"&&(i=o.raw.slice(-1)),s=!0;let d=n.at(-1);d?.type==="text"?(d.raw+=o.raw,d.text+=o.text):n.push(o);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return n}#n(e){let{blockSkip:t,tag:n,autolink:s}=this.tokenizer.rules.inline,i="",a=0,o;for(t.lastIndex=0;o=t.exec(e);){let l=o.index+(o[2]?o[2].length:0),u=o.index+o[0].length;if(e.charAt(l)==="<"){let d=e.slice(l),f=n.exec(d)||s.exec(d);if(!f){t.lastIndex=l+1;continue}u=l+f[0].length,t.lastIndex=u}i+=e.slice(a,l)+"["+"a".repeat(u-l-2)+"]",a=u}return i+e.slice(a)}#s(e){let t=e;if(this.tokens.links&&e.includes("[")){let n=this.tokenizer.rules.inline.reflinkSearch,s=i=>{let a=i.lastIndexOf("[");if(!Object.hasOwn(this.tokens.links,j(i.slice(a+1,-1))))return i;if(a>1&&i.charAt(0)!=="!"){let o=i.slice(1,a-1);if(this.linkInText(o))return"["+o.replace(n,s)+"]["+"a".repeat(i.length-a-2)+"]"}return"["+"a".repeat(i.length-2)+"]"};t=t.replace(n,s)}return t=t.replace(this.tokenizer.rules.inline.anyPunctuationOutsideCode,(n,s,i)=>i?"+".repeat(n.length):s?s+n.slice(s.length,-s.length).replace(/`/g,"+")+s:n),t=this.#n(t),t=this.options.hooks?.emStrongMask?.call({lexer:this},t)??t,t}infiniteLoopError(e){let t="Infinite loop on byte: "+e;if(this.options.silent)console.error(t);else throw new Error(t)}};var Gs=/(?:^|\n)[ \t]*(?:>[ \t]*)*(?:[-+*=_>]+|#{1,6}|\d{1,9}[.)]?|`{1,2}|~{1,2})[ \t]*$/,Qs=/(?:^|\n)[ \t]*\|[^\n]*(?:\n[ \t]*\|?[-:| \t]*)?$/,Vs=/\n[ \t]*(?:`{1,2}|~{1,2})$/,Zs=/(?:^|\n) {0,3}<\/?(?:[a-zA-Z](?:[^<>"]|"[^"]*")*(?:"[^"]*)?)?$/,Ks=/&#?\w{0,8}$/,Ys=/^\s*(?:(?:[-*+>]|\d+[.)])\s+)*(?:`{3,}|~{3,})/,Js=/(?:^|\n)(?:[ \t]*(?=\n)|[ \t]*(?:[-*+>]|\d{1,9}[.)]|#{1,6})[ \t]+)/g,Xs=/^(?:\*+|_+|~~+|~$)/,pt=/[\p{L}\p{N}]/u;function xn({type:r,raw:e}){if(e.split(`
`).filter(i=>Ys.test(i)).length%2===1||r==="code")return e.replace(Vs,"");let n=e.replace(Gs,"").replace(Zs,"");r!=="table"&&(n=n.replace(Qs,""));let s=0;for(let i of n.matchAll(Js))s=i.index+i[0].length;return r==="table"&&(s=Math.max(s,n.lastIndexOf("|")+1)),n.slice(0,s)+ei(n.slice(s).replace(Ks,""))}function ei(r){let e=[];for(let t=0;t<r.length;){let n=r.slice(t);if(n[0]==="\\")t+=2;else if(n[0]==="`"){let s=/^`+/.exec(n)?.[0]??"`",i=n.indexOf(s,s.length);if(i<0){let a=n.length>s.length?n+s:"";return ht(r.slice(0,t)+a,e)}t+=i+s.length}else if(/^!?\[/.test(n)){let s=/^!?\[[^\]\n]*\]\([^()\n]*\)/.exec(n),i=/^!?\[([^\]\n]*)(?:\](?:\([^()\n]*)?)?$/.exec(n);i?r=r.slice(0,t)+(i[1]??""):t+=s?.[0].length??1}else{let s=Xs.exec(n)?.[0],i=s?.length===n.length,a=s?ti(s,r[t-1]??" ",n[s.length]??" ",e):0;if(s&&i&&a)return ht(r.slice(0,t+s.length-a),e);t+=s?.length??1}}return ht(r,e)}function ti(r,e,t,n){let s=r[0]??"",i=r.length,a=s==="_"&&pt.test(t);for(;i&&e.trim()&&!a&&n.at(-1)?.startsWith(s);){let o=n.at(-1)?.length??0;if(o>i)return i;n.pop(),i-=o}return!i||!t.trim()||s==="_"&&pt.test(e)?s==="_"&&pt.test(e)&&!n.length?0:i:(i%2&&n.push(s),i>1&&n.push(s.repeat(2)),0)}function ht(r,e){return r.trimEnd()+[...e].reverse().join("")}var ni=/<\/?[a-zA-Z][\w:-]*(?:\s(?:[^<>"'\n]|\n(?!\s*\n)|"[^"\n]*"|'[^'\n]*')*)?>/.source,si=new RegExp(`^(?: {0,3}${ni}(?:[^\\n]*>)?[ \\t]*(?:\\n|$))+`),ii={...ve(),breaks:!0,extensions:{renderers:{},childTokens:{},startBlock:[r=>r.match(/^ {0,3}<[a-zA-Z/]/m)?.index],block:[r=>{let e=si.exec(r)?.[0];return e?{type:"markup",raw:e}:void 0}]}},ri={amp:"&",lt:"<",gt:">",quot:'"',apos:"'",nbsp:" ",ndash:"–",mdash:"—",hellip:"…"};function Le(r,e=!1){let t=[],n=0;for(let i of bn(r)){let a=n+i.raw.length;Ae(i)&&t.push({start:n,end:a,shown:i.raw.trimEnd(),token:i}),n=a}let s=t.at(-1);if(e&&s&&!r.endsWith(`

`)){let i=xn(s.token),a=bn(i).find(Ae);t.pop(),a&&t.push({...s,shown:i.trimEnd(),token:a})}return t}function bn(r){return new ne({...ii}).lex(r)}function Pe(r,e){let t=r;switch(t.type){case"heading":return c("h4",{},..._(t.tokens));case"list":return oi(t,e);case"table":return ai(t);case"code":return kn(t.text,e);case"blockquote":return c("blockquote",{},...t.tokens.filter(Ae).map(n=>Pe(n,e)));case"hr":return c("hr");case"paragraph":case"text":return c("p",{},..._(t.tokens??[t]));default:return kn(r.raw.trim(),e)}}function Ae(r){return r.type!=="space"&&r.type!=="def"}function oi(r,e){let t=r.ordered?c("ol",{start:Number(r.start||1)}):c("ul");for(let n of r.items){let s=[];for(let i of n.tokens.filter(Ae))i.type==="checkbox"?s.push(n.checked?"☑ ":"☐ "):i.type==="text"?s.push(..._(i.tokens??[i])):s.push(Pe(i,e));t.append(c("li",{},...s))}return t}function ai(r){let e=(s,{tokens:i,align:a})=>{let o=c(s,{},..._(i));return a&&(o.style.textAlign=a),o},t=c("thead",{},c("tr",{},...r.header.map(s=>e("th",s)))),n=c("tbody");for(let s of r.rows)n.append(c("tr",{},...s.map(i=>e("td",i))));return c("div",{className:"table",tabIndex:0,role:"group"},c("table",{},t,n))}function kn(r,e){let t=c("pre",{tabIndex:0,dir:"ltr"},c("code",{textContent:r}));return c("div",{className:"code"},e(r),t)}function _(r){return r.flatMap(e=>{let t=e;switch(t.type){case"strong":return[c("strong",{},..._(t.tokens))];case"em":return[c("em",{},..._(t.tokens))];case"del":return[c("del",{},..._(t.tokens))];case"codespan":return[c("code",{textContent:t.text,dir:"ltr"})];case"br":return[c("br")];case"link":return vn(t.href,_(t.tokens),t.text);case"image":return vn(t.href,[t.text||t.href],t.text);case"escape":return[t.text];case"text":return t.tokens?_(t.tokens):[li(t.text)];default:return[e.raw]}})}function vn(r,e,t){let n=L(r);if(!n)return e;let s=new URL(n).host,i=H(n,...e);return s&&!t.includes(s)?[i,c("span",{className:"host",textContent:` (${s})`,dir:"ltr"})]:[i]}function li(r){return r.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w+));/g,(e,t,n,s)=>{if(s)return ri[s]??e;let i=t?Number(t):Number.parseInt(n,16);return i>0&&i<=1114111?String.fromCodePoint(i):e})}function Ne(r,e){let t=new I(r),n=Le(r.text).map(({start:i,end:a})=>{let o=t.indexesIn(i,a).map(u=>`[${t.numbers.get(u)}]`),l=r.text.slice(i,a).trimEnd();return o.length?`${l} ${o.join("")}`:l}),s=[...t.numbers].map(([i,a])=>{let{title:o,document:l,uri:u}=t.cited(i).source;return[`[${a}] ${o||l}`,L(u)].filter(Boolean).join(" ")});return[...n,...s.length?[`${e}:
${s.join(`
`)}`]:[]].join(`

`)}async function wn(r){try{return await navigator.clipboard.writeText(r),!0}catch{return ci(r)}}function ci(r){let e=document.activeElement,t=document.createElement("textarea");t.value=r,document.body.append(t),t.select();let n=document.execCommand("copy");t.remove();let s=e?.shadowRoot?.activeElement??e;return s instanceof HTMLElement&&s.focus(),n}var di=2500;function yn(r,e,t){let n=c("span",{textContent:e}),s=c("button",{type:"button",className:"copy"},n);return Tn(s,r,t,i=>n.textContent=i??e),s}function ft(r,e,t,n){let s=c("span"),i=c("button",{type:"button",className:"icon",title:t,"aria-label":t});return i.append(E(e),s),Tn(i,r,n,a=>s.textContent=a??""),i}function Tn(r,e,t,n){let s;r.onclick=async()=>{let i=await wn(t())?e.copied:e.notCopied;n(i),y(r,i),clearTimeout(s),s=setTimeout(()=>n(void 0),di)}}var ui="M2 21h4V9H2zm20-11a2 2 0 0 0-2-2h-6.3l1-4.6v-.3c0-.4-.2-.8-.5-1.1L13.2 1 6.6 7.6A2 2 0 0 0 6 9v10a2 2 0 0 0 2 2h9a2 2 0 0 0 1.8-1.2l3-7c.1-.2.2-.5.2-.8z",pi="M22 3h-4v12h4zM2 14a2 2 0 0 0 2 2h6.3l-1 4.6v.3c0 .4.2.8.5 1.1l1 1 6.6-6.6A2 2 0 0 0 18 15V5a2 2 0 0 0-2-2H7a2 2 0 0 0-1.8 1.2l-3 7c-.1.2-.2.5-.2.8z",hi=2e3,_e=class{constructor(e,t,n){this.turn=e;this.texts=t;this.actions=n;let s=G(ui,t.helpful),i=G(pi,t.notHelpful);s.onclick=()=>this.judge(!0),i.onclick=()=>this.judge(!1),this.thumbs=[s,i],this.show()}turn;texts;actions;node=c("div",{className:"feedback"});thumbs;said=c("p");judge(e){this.turn.rating?.isHelpful===e&&this.turn.rating.state!=="failed"||(this.turn.rating={isHelpful:e,reasons:[],comment:"",state:e?"sent":"asked"},this.show(),e||this.node.querySelector("button")?.focus(),this.send())}async send(){let{rating:e}=this.turn;!e||await this.actions.rate(this.turn,e)||e!==this.turn.rating||(e.state="failed",this.show())}show(){let{rating:e}=this.turn;this.thumbs.forEach((n,s)=>n.setAttribute("aria-pressed",String(e?.isHelpful===(s===0))));let t={sent:this.texts.thanks,failed:this.texts.notSent,asked:""};this.said.textContent=e?t[e.state]:"",this.node.replaceChildren(...e?.state==="asked"?[this.form()]:[],this.said),this.said.textContent&&y(this.node,this.said.textContent)}form(){let{texts:e}=this,t=c("div",{className:"chips"},...fi(e).map(a=>this.chip(...a))),n=c("textarea",{rows:2,maxLength:hi,placeholder:e.comment,"aria-label":e.comment,dir:"auto",value:this.turn.rating?.comment??""});n.oninput=()=>{this.turn.rating&&(this.turn.rating.comment=n.value)};let s=c("button",{type:"button",textContent:e.sendFeedback});s.onclick=()=>this.complete();let i=c("div",{role:"group","aria-label":e.whatIsWrong});return i.append(c("p",{textContent:e.whatIsWrong}),t,n,s),i}complete(){let{rating:e}=this.turn;e&&(e.state="sent",this.show(),this.thumbs[1].focus(),(e.reasons.length||e.comment.trim())&&this.send())}chip(e,t){let n=()=>this.turn.rating?.reasons.includes(e)??!1,s=c("button",{type:"button",textContent:t,"aria-pressed":String(n())});return s.onclick=()=>{let{rating:i}=this.turn;i&&(i.reasons=n()?i.reasons.filter(a=>a!==e):[...i.reasons,e],s.setAttribute("aria-pressed",String(n())))},s}};function fi(r){return[["INACCURATE_RESPONSE",r.reasonInaccurate],["NOT_RELEVANT",r.reasonNotRelevant],["INCOMPREHENSIVE",r.reasonIncomplete],["BAD_CITATION",r.reasonBadSource],["FORMAT_AND_STYLES",r.reasonFormat],["OFFENSIVE_OR_UNSAFE",r.reasonHarmful]]}var gi="M16 1H4a2 2 0 0 0-2 2v14h2V3h12zm3 4H8a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2zm0 16H8V7h11z",mi="M3.9 12A3.1 3.1 0 0 1 7 8.9h4V7H7a5 5 0 0 0 0 10h4v-1.9H7A3.1 3.1 0 0 1 3.9 12zM8 13h8v-2H8zm9-6h-4v1.9h4a3.1 3.1 0 0 1 0 6.2h-4V17h4a5 5 0 0 0 0-10z",xi="M17.7 6.3A8 8 0 1 0 19.7 14h-2.1A6 6 0 1 1 12 6c1.7 0 3.1.7 4.2 1.8L13 11h7V4z",Oe=class{node;constructor(e,t,n){let s=G(xi,t.askAgain);s.onclick=()=>n.ask(e.query);let i=c("div",{className:"buttons"}),{answer:a}=e;if(a.text&&!a.skippedReasons.length&&i.append(ft(t,gi,t.copyAnswer,()=>Ne(e.answer,t.sources))),i.append(ft(t,mi,t.copyLink,()=>bt(e.query)),s),this.node=c("div",{className:"tools"},i),a.state!=="SUCCEEDED"||!a.name)return;let o=new _e(e,t,n);i.append(...o.thumbs),this.node.append(o.node)}};function G(r,e){let t=c("button",{type:"button",className:"icon",title:e,"aria-label":e});return t.append(E(r)),t}var bi="M12 14a3 3 0 0 0 3-3V5a3 3 0 0 0-6 0v6a3 3 0 0 0 3 3zm5-3a5 5 0 0 1-10 0H5a7 7 0 0 0 6 6.9V21h2v-3.1A7 7 0 0 0 19 11z";function Sn(r,e,t){let{SpeechRecognition:n,webkitSpeechRecognition:s}=window,i=n??s;if(!i||!isSecureContext||!ki())return[];let a=G(bi,r.dictate),o,l=u=>{o=u,a.setAttribute("aria-pressed",String(!!u))};return l(void 0),a.onclick=()=>{if(o)return o.stop();let u=e.value&&`${e.value.trimEnd()} `,d=new i;d.lang=a.closest("[lang]")?.lang??"",d.interimResults=!0,d.onresult=({results:f})=>{let h=Array.from(f,([p])=>p?.transcript??"");e.value=(u+h.join("").trimStart()).slice(0,e.maxLength),t()},d.onerror=({error:f})=>{f!=="aborted"&&y(a,e.placeholder=r.notHeard)},d.onend=()=>{l(void 0),e.focus()},l(d),d.start()},[a]}function ki(){let{featurePolicy:r}=document;return r?.allowsFeature("microphone")??!0}var vi=1e4,wi=6,Ie=class{node;field;stop;constructor(e,t){this.field=c("textarea",{rows:1,maxLength:vi,placeholder:e.placeholder,"aria-label":e.question,dir:"auto"}),this.stop=c("button",{type:"button",textContent:e.stop,hidden:!0});let n=c("button",{type:"submit",textContent:e.ask}),s=Sn(e,this.field,()=>this.fit());this.node=c("form",{},this.field,...s,this.stop,n),this.stop.onclick=()=>t.stop(),this.field.oninput=()=>this.fit(),this.field.onkeydown=i=>{i.key!=="Enter"||i.shiftKey||i.isComposing||(i.preventDefault(),this.node.requestSubmit())},this.node.onsubmit=i=>{i.preventDefault();let a=this.field.value.trim();a&&(this.field.value="",this.fit(),t.ask(a))}}get draft(){return this.field.value}set draft(e){this.field.value=e,this.fit()}get hasFocus(){return this.field.matches(":focus")}focus(){this.field.focus()}answering(e){this.stop.hidden=!e}fit(){this.field.rows=Math.min(this.field.value.split(`
`).length,wi)}};var yi=[4401,4408],Ti=4403,Me=class{constructor(e,t){this.texts=e;this.again=c("button",{type:"button",textContent:e.tryAgain,hidden:!0}),this.again.onclick=t,this.node.append(this.words,this.again)}texts;node=c("div",{className:"connection"});words=c("span");again;get message(){return this.words.textContent??""}show(e,t=0){this.node.dataset.state=e;let n=this.message;this.words.textContent=e==="refused"?this.refusal(t):this.texts[e],this.again.hidden=e!=="refused",this.node.hidden=!1,this.message!==n&&y(this.node,this.message),this.node.hidden=!this.message}refusal(e){let{texts:t}=this;return yi.includes(e)?t.refusedSignIn:e===Ti?T(t.refusedOrigin,{origin:location.origin}):T(t.refused,{code:e})}};var Si=80,$e=class{constructor(e,t,n){this.scroll=e;this.button=c("button",{type:"button",className:"below",hidden:!0,textContent:n.newBelow}),this.button.onclick=()=>this.toEnd(),e.addEventListener("scroll",()=>this.scrolled(),{passive:!0}),new ResizeObserver(()=>this.isFollowing&&this.toEnd()).observe(t)}scroll;button;isFollowing=!0;top=0;grown(){this.isFollowing||(this.button.hidden=!1)}toEnd(){this.isFollowing=!0,this.button.hidden=!0,this.scroll.scrollTop=this.scroll.scrollHeight}keep(e,t){let n=e.getBoundingClientRect().top;t(),this.isFollowing?this.toEnd():this.scroll.scrollTop+=e.getBoundingClientRect().top-n}scrolled(){let{scrollHeight:e,scrollTop:t,clientHeight:n}=this.scroll;e-t-n<Si?(this.isFollowing=!0,this.button.hidden=!0):t<this.top&&(this.isFollowing=!1),this.top=t}};function Cn(r,e){let t,n=()=>t?.getClientRects().length;r.addEventListener("focusin",({target:s})=>{t=s instanceof HTMLElement?s:void 0}),r.addEventListener("focusout",()=>queueMicrotask(()=>n()&&!En(r)&&(t=void 0))),new MutationObserver(()=>{!t||n()||!r.getClientRects().length||(t=void 0,En(r)||e())}).observe(r,{subtree:!0,childList:!0,attributes:!0,attributeFilter:["hidden"]})}function En(r){let{activeElement:e}=r.getRootNode();return r.contains(e)&&!!e?.getClientRects().length}function ze({displayName:r,turns:e},t){return r||e?.[0]?.query?.text||t.newSession}function Rn(r,e,t,n){let s=ze(r,t),i=c("button",{type:"button",className:"title",textContent:s,dir:"auto"});e&&i.setAttribute("aria-current","true"),i.onclick=n.open;let a=r.endTime??r.startTime,o=c("span",{className:"host",textContent:a?new Date(a).toLocaleDateString():""}),l=(p,g)=>{let m=c("button",{type:"button",className:"icon",textContent:p});return m.setAttribute("aria-label",`${p}: ${s}`),m.onclick=g,m},u=l(r.isPinned?t.unpin:t.pin,n.pin),d=l(t.rename,()=>Ei(i,s,t,n)),f=l(t.delete,()=>{if(f.textContent===t.deleteReally)return n.remove();f.textContent=t.deleteReally,f.setAttribute("aria-label",`${t.deleteReally}: ${s}`)}),h=c("div",{className:"buttons"},u,d,l(t.export,n.export),f);return c("li",{"data-pinned":r.isPinned||void 0},i,o,h)}function Ei(r,e,t,{rename:n}){let s=c("input",{type:"text",value:e,maxLength:200,"aria-label":t.rename,dir:"auto"}),i=()=>{s.onblur=null,s.replaceWith(r),r.focus()},a=()=>{let o=s.value.trim();i(),o&&o!==e&&n(o)};s.onblur=a,s.onkeydown=o=>{o.isComposing||!["Enter","Escape"].includes(o.key)||(o.preventDefault(),o.stopPropagation(),o.key==="Enter"?a():i())},r.replaceWith(s),s.select()}var Ci=10,De=class{constructor(e,t,n){this.chat=e;this.texts=t;this.conversation=n;let s=c("h3",{textContent:t.sessions}),i=c("button",{type:"button",textContent:t.close});i.onclick=()=>this.close(),this.search=c("input",{type:"search","aria-label":t.searchSessions,placeholder:t.searchSessions,dir:"auto"}),this.search.oninput=()=>{this.look()},this.more=c("button",{type:"button",textContent:t.more,hidden:!0}),this.more.onclick=()=>{this.readMore()};let a=c("div",{className:"source-head"},s,i),o=c("div",{className:"source-body"},this.search,this.status,this.rows,this.more);this.node=c("aside",{className:"source",hidden:!0,"aria-label":t.sessions},a,o),this.node.onkeydown=l=>{l.key!=="Escape"||l.defaultPrevented||(l.preventDefault(),this.close())},e.append(this.node)}chat;texts;conversation;node;search;rows=c("ul",{className:"sessions"});status=c("p");more;list;sessions=[];next="";before;open(e){this.list=this.conversation.sessions,this.before=e,this.sessions=[],this.next=this.search.value="",this.rows.replaceChildren(),this.cover(!0),this.search.focus(),this.readMore()}close(){this.cover(!1),this.before?.focus()}cover(e){this.node.hidden=!e,this.chat.toggleAttribute("data-source",e);for(let t of this.chat.children)t instanceof HTMLElement&&t!==this.node&&(t.inert=e)}async readMore(){let{list:e}=this,t=await e?.read(this.next);e===this.list&&(this.sessions.push(...t?.sessions??[]),this.next=t?.next??"",this.show(t?"":this.texts.notSent))}async look(){this.show("");for(let e=Ci;e&&this.next&&this.search.value;e-=1)await this.readMore()}show(e){let t=this.search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean),n=this.sessions.filter(i=>{let o=[ze(i,this.texts),...(i.turns??[]).map(({query:l})=>l?.text)].join(`
`).toLocaleLowerCase();return t.every(l=>o.includes(l))});n.sort((i,a)=>Number(a.isPinned??!1)-Number(i.isPinned??!1)),this.rows.replaceChildren(...n.map(i=>this.row(i))),this.more.hidden=!this.next;let s=e||(n.length?"":this.texts.noSessions);s&&s!==this.status.textContent&&y(this.status,s),this.status.textContent=s}row(e){let{conversation:t,texts:n}=this,s=e.name??"";return Rn(e,s===t.sessionName,n,{open:()=>{t.openSession(s),this.close()},rename:i=>{this.change(e,{displayName:i})},pin:()=>{this.change(e,{isPinned:!e.isPinned})},export:()=>{this.export(e)},remove:()=>{this.remove(e)}})}async change(e,t){let n=await this.list?.change(e.name??"",t);n&&Object.assign(e,t),this.show(n?"":this.texts.notSent)}async remove(e){let t=await this.list?.remove(e.name??"");t&&(this.sessions=this.sessions.filter(n=>n!==e),e.name===this.conversation.sessionName&&this.conversation.startNew()),this.show(t?"":this.texts.notSent),this.search.focus()}async export(e){let t=await this.list?.turns(e.name??"");if(this.show(t?"":this.texts.notSent),!t)return;let n=ze(e,this.texts),s=t.map(({query:o,answer:l})=>`## ${o}

${Ne(l,this.texts.sources)}`),i=new Blob([[`# ${n}`,...s].join(`

`),`
`],{type:"text/markdown"}),a=URL.createObjectURL(i);c("a",{href:a,download:`${n.slice(0,60).replace(/[^\p{L}\p{N} -]/gu,"_")}.md`}).click(),setTimeout(()=>URL.revokeObjectURL(a))}};var Ri=120,Ai=200,Li=200,qe=class{constructor(e){this.texts=e;this.node.onmouseenter=()=>clearTimeout(this.timer),this.node.onmouseleave=()=>this.hideSoon()}texts;node=c("div",{className:"popover",id:"source",role:"tooltip",hidden:!0});timer;get isOpen(){return!this.node.hidden}show(e,t){clearTimeout(this.timer);let{texts:n}=this,{title:s}=t.source;this.node.replaceChildren(c("b",{textContent:Pi(s||n.untitled,t.evidence.passage.page,n),dir:"auto"}),c("p",{className:"passage",dir:"auto"},...ge(t.evidence,Ri,Ai)));let i=me(t.support,n);i&&this.node.append(c("p",{className:"support",textContent:i})),this.node.hidden=!1,this.node.scrollTop=0,this.placeBeside(e)}hide(){clearTimeout(this.timer),this.node.hidden=!0}hideSoon(){clearTimeout(this.timer),this.timer=setTimeout(()=>this.hide(),Li)}placeBeside(e){let{style:t}=this.node;t.left=t.top="0px";let n=e.getBoundingClientRect(),s=this.node.getBoundingClientRect(),i=Math.min(Math.max(n.left-20,12),innerWidth-s.width-12),a=n.top-s.height-6;t.left=`${i}px`,t.top=`${a>8?a:n.bottom+4}px`}};function Pi(r,e,t){return e?`${r}, ${T(t.page,{page:e})}`:r}var He=class{constructor(e,t,n,s){this.texts=t;this.tell=n;this.documents=s;this.popover=new qe(t),this.panel=new xe(t,e,(i,a)=>this.pageLink(i,a),()=>this.popover.hide()),this.previewId=this.popover.node.id,e.append(this.panel.node,this.popover.node),e.addEventListener("keydown",i=>{i.key!=="Escape"||!(this.popover.isOpen||this.panel.isOpen)||(i.preventDefault(),this.popover.isOpen?this.popover.hide():this.panel.close())})}texts;tell;documents;previewId;popover;panel;preview(e,t){this.popover.show(e,t)}endPreview(){this.popover.hideSoon()}open(e,t){this.popover.hide(),this.panel.open(e,t);let{title:n,document:s,uri:i}=t.source;this.tell("citation-open",{title:n,document:s,uri:i})}close(){this.popover.hide(),this.panel.close()}pageLink({uri:e,document:t},n){let{texts:s}=this,i=Pt(e,n)||L(e);if(i)return c("p",{},H(i,s.openPage));if(!Nt(t))return;let a=c("button",{type:"button",textContent:s.openPage}),o=c("span");return a.onclick=async()=>{o.textContent="",!await this.documents.openDocument(t,n)&&(o.textContent=s.notOpened,y(a,s.notOpened))},c("p",{},a," ",o)}};var Be=class{constructor(e,t){this.texts=e;this.sources=t}texts;sources;node=c("div",{className:"text",part:"text",dir:"auto"});blocks=[];proof;get words(){let e=this.node.cloneNode(!0);for(let t of e.querySelectorAll(".cites, button"))t.remove();for(let t of e.querySelectorAll("p, li, h4, pre, th, td"))t.append(" ");return e.textContent??""}show(e,t,n=[]){this.proof=t,n.length===1&&(this.node.lang=n[0]??"");let s=e.skippedReasons.length>0,i=e.before.length>e.text.length;this.node.classList.toggle("before",i);let a=i?e.before:e.text,l=(s?[]:Le(a,!A(e.state))).map((u,d)=>{let f=i?[]:t.indexesIn(u.start,u.end),h=JSON.stringify(f.map(g=>[g,t.numbers.get(g)])),p=this.blocks[d];return p&&p.shown===u.shown&&p.marks===h?p:{shown:u.shown,marks:h,node:this.blockWith(u,f,t)}});l.forEach(({node:u},d)=>{let f=this.blocks[d]?.node;f!==u&&(f?f.replaceWith(u):this.node.append(u))});for(let{node:u}of this.blocks.slice(l.length))u.remove();this.blocks=l}blockWith(e,t,n){let{texts:s}=this,i=Pe(e.token,o=>yn(s,s.copy,()=>o));if(!t.length)return i;let a=c("span",{className:"cites"});for(let o of t){let l=u=>u.cited(o,e.start,e.end);a.append(this.mark(l(n),()=>l(this.proof??n)))}return An(i).append(a),i}mark(e,t){let{texts:n,sources:s}=this,{number:i,source:a}=e,o=c("button",{type:"button",className:"cite",textContent:String(i),"aria-label":T(n.source,{number:i,title:a.title||n.untitled}),"aria-describedby":s.previewId});return o.onmouseenter=o.onfocus=()=>s.preview(o,t()),o.onmouseleave=o.onblur=()=>s.endPreview(),o.onclick=()=>s.open(o,t()),o}};function An(r){let e=r.lastElementChild;return(r.tagName==="OL"||r.tagName==="UL"||r.tagName==="LI")&&e instanceof HTMLElement&&["LI","OL","UL","P"].includes(e.tagName)?An(e):r}function Ln(r,e,t){if(!r)return[];let n=c("span",{textContent:r.text||e.contact,dir:"auto"}),s=L(r.uri??"");if(!s)return[n];let i=H(s,e.contactLink);return i.className="contact",i.onclick=()=>t(s),[n,i]}function Pn(r,e,t,n=e.place){if(t!=="nothing")return t==="answer"?e.waiting:e.queued;switch(r.state){case"QUEUED":case"SENT":return e.sending;case"IN_PROGRESS":case"STREAMING":return Ni(r,e,n);case"SUCCEEDED":return r.skippedReasons.length?_i(r.skippedReasons,e,n):r.references.length?e.answered:"";case"FAILED":return wt(r.error)==="CANCELLED"?e.stopped:r.error?.status==="RESOURCE_EXHAUSTED"?e.failedBusy:e.failed}}function Ni(r,e,t){if(r.resets)return e.rewriting;if(r.text)return e.writing;let{references:n}=r;return n.length?T(e.reading,{count:n.length}):T(e.searching,{place:t})}function _i(r,e,t){let n={place:t};switch(r[0]){case"NON_ANSWER_SEEKING_QUERY_IGNORED":case"NON_ANSWER_SEEKING_QUERY_IGNORED_V2":return T(e.refusedSmallTalk,n);case"ADVERSARIAL_QUERY_IGNORED":return e.refusedHarmful;case"JAIL_BREAKING_QUERY_IGNORED":return T(e.refusedJailbreak,n);case"POTENTIAL_POLICY_VIOLATION":case"CUSTOMER_POLICY_VIOLATION":case"USER_DEFINED_CLASSIFICATION_QUERY_IGNORED":return e.refusedPolicy;default:return T(e.noAnswer,n)}}function Nn(r){let[e]=r.skippedReasons;return["OUT_OF_DOMAIN_QUERY_IGNORED","NO_RELEVANT_CONTENT","LOW_GROUNDED_ANSWER","UNHELPFUL_ANSWER"].includes(e??"")}var Oi=3,Ii=3,Mi="M3 17.3V21h3.7L17.8 9.9l-3.7-3.7zM20.7 7a1 1 0 0 0 0-1.4l-2.3-2.3a1 1 0 0 0-1.4 0l-1.8 1.8 3.7 3.7z",Fe=class{constructor(e,t,n){this.turn=e;this.texts=t;this.actions=n;this.text=new Be(t,n.sources),this.article=c("article",{"aria-label":t.answer},this.state,this.text.node,this.rest),this.node=c("li",{},this.question(),this.article),this.paint()}turn;texts;actions;node;article;state=c("div",{className:"state"});text;rest=c("div");tools;frame;made="";hasEnded=!1;changed(){this.frame??=requestAnimationFrame(()=>{this.frame=void 0,this.paint()})}question(){let{texts:e,turn:t,actions:n}=this,s=c("h3",{className:"query",textContent:t.query,dir:"auto"}),i=c("button",{type:"button",className:"icon",title:e.editQuestion,"aria-label":e.editQuestion});return i.append(E(Mi)),i.onclick=()=>n.edit(t.query),c("div",{className:"asked"},i,s)}paint(){let{answer:e}=this.turn,t=new I(e);this.article.setAttribute("aria-busy",String(q(e.state))),this.article.dataset.state=e.state,this.article.toggleAttribute("data-refused",e.skippedReasons.length>0);let n=this.actions.waitsFor(this.turn),{config:s}=this.actions,i=this.state.textContent,a=Pn(e,this.texts,n,s.displayName);this.state.textContent=a,this.text.show(e,t,s.languageCodes),!this.hasEnded&&a!==i&&this.speak(a);let{state:o,relatedQuestions:l,skippedReasons:u,references:d,resets:f}=e,{contact:h}=s,p=JSON.stringify([o,[...t.numbers],l,u,d.length,f,h,n]);p!==this.made&&(this.made=p,this.rest.replaceChildren(...u.length?this.help(e):this.sources(t),...n==="nothing"?[]:[this.takeBack()],...this.toolsOf(e),...this.related(e)))}speak(e){this.hasEnded=A(this.turn.answer.state),y(this.node,this.hasEnded?`${e} ${this.text.words}`:e)}takeBack(){let e=c("button",{type:"button",textContent:this.texts.takeBack});return e.onclick=()=>this.actions.takeBack(this.turn),c("div",{className:"help"},e)}toolsOf({state:e}){return A(e)?(this.tools??=new Oe(this.turn,this.texts,this.actions),[this.tools.node]):[]}sources(e){let t=c("ol",{className:"sources","aria-label":this.texts.sources});for(let n of e.numbers.keys()){let{title:s}=e.cited(n).source,i=c("button",{type:"button",textContent:s||this.texts.untitled,dir:"auto"});i.onclick=()=>this.actions.sources.open(i,new I(this.turn.answer).cited(n)),t.append(c("li",{},i))}return t.childElementCount?[t]:[]}help(e){let{texts:t,actions:n,turn:s}=this,i=[];if(Nn(e)){let l=c("ul",{className:"sources nearest","aria-label":t.nearest});e.references.slice(0,Oi).forEach((u,d)=>{let f=nt(u,d),h=ke([],f.passages),p={number:d+1,source:f,evidence:h,support:void 0},g=c("button",{type:"button",textContent:f.title||t.untitled,dir:"auto"});g.onclick=()=>n.sources.open(g,p),l.append(c("li",{},g))}),l.childElementCount&&i.push(c("p",{textContent:t.nearest}),l)}let a=c("button",{type:"button",textContent:t.editQuestion});a.onclick=()=>n.edit(s.query);let o=Ln(n.config.contact,t,l=>n.handover(s.query,l));return[...i,c("div",{className:"help"},a,...o)]}related({relatedQuestions:e}){let t=e.slice(0,Ii);return gt(t,this.texts.related,n=>this.actions.ask(n))}};function gt(r,e,t){if(!r.length)return[];let n=c("div",{className:"related",role:"group","aria-label":e});for(let s of r){let i=c("button",{type:"button",textContent:s,dir:"auto"});i.onclick=()=>t(s),n.append(i)}return[n]}function _n(r,{starterQuestions:e=[]},t){let n=c("div",{className:"welcome"},c("p",{textContent:r.welcome}));return n.append(...gt(e,r.starters,t)),n}var $i="M4 5h16v2H4zm0 6h16v2H4zm0 6h16v2H4z",Ue=class{constructor(e,t,n,s=!1){this.conversation=e;this.texts=t;this.tell=n;this.isWholePage=s;this.composer=new Ie(t,{ask:u=>this.ask(u),stop:()=>this.conversation.stop()}),this.turns=c("ol",{className:"turns","aria-label":t.answers}),this.welcome=this.welcoming(),this.connection=new Me(t,()=>e.retry()),this.earlier=c("button",{type:"button",className:"earlier",textContent:t.earlier,hidden:!0}),this.earlier.onclick=()=>{e.readEarlier()};let i=c("div",{className:"scroll"},this.welcome,this.earlier,this.turns);s&&i.prepend(c("h2",{className:"unseen",textContent:t.answers})),this.following=new $e(i,this.turns,t),new IntersectionObserver(([u])=>u?.isIntersecting&&this.earlier.click(),{root:i}).observe(this.earlier);let{sessions:o}=t;this.list=c("button",{type:"button",className:"icon",title:o,"aria-label":o}),this.list.append(E($i)),this.list.onclick=()=>{this.sources.close(),this.sessions.open(this.list)};let l=s?"main":"section";this.node=c(l,{className:"panel",part:"panel","aria-label":t.title}),Cn(this.node,()=>this.composer.focus()),this.node.append(this.head(),this.connection.node,i,this.following.button,this.composer.node),this.sessions=new De(this.node,t,e),this.sources=new He(this.node,t,n,e),e.listen(this);for(let u of e.turns.values())this.turnAdded(u);this.showEarlier(),this.showConnection()}conversation;texts;tell;isWholePage;node;composer;connection;turns;welcome;following;earlier;sources;sessions;list;views=new Map;ask(e){let t=this.conversation.ask(e);return this.tell("question",{query:e}),this.following.toEnd(),t}connectionChanged(){this.showConnection();for(let{id:s}of this.conversation.turns.waiting)this.views.get(s)?.changed();let{connectionState:e,closeCode:t}=this.conversation,{message:n}=this.connection;e==="ready"&&this.tell("ready",{}),e==="refused"&&this.tell("error",{code:t??0,message:n})}configured(){let e=this.welcoming();e.hidden=this.welcome.hidden,this.welcome.replaceWith(e),this.welcome=e;for(let t of this.views.values())t.changed()}turnAdded(e){this.turns.append(this.viewOf(e).node),this.welcome.hidden=!0,this.refresh(),this.following.grown()}earlierAdded(e){let t=this.turns.firstElementChild,n=()=>{this.turns.prepend(...e.map(s=>this.viewOf(s).node)),this.showEarlier()};t instanceof HTMLElement?this.following.keep(t,n):n(),this.welcome.hidden||=e.length>0,this.refresh()}turnChanged(e){this.views.get(e.id)?.changed(),this.following.grown(),this.refresh(),this.tellEnd(e)}turnRemoved(e){this.views.get(e.id)?.node.remove(),this.views.delete(e.id),this.refresh()}emptied(){this.sources.close(),this.views.clear(),this.turns.replaceChildren(),this.welcome.hidden=!1,this.showEarlier(),this.refresh(),this.composer.focus()}tellEnd({query:e,answer:t}){let{name:n,text:s,state:i,skippedReasons:a}=t;if(!(i!=="SUCCEEDED"&&i!=="FAILED")){for(let{id:o}of this.conversation.turns.running)this.views.get(o)?.changed();this.tell("answer",{query:e,name:n,text:s,state:i,refused:a.length>0})}}get draft(){return this.composer.draft}set draft(e){this.composer.draft=e}get isWriting(){return this.composer.hasFocus}write(){this.composer.focus()}turnActions(){let{conversation:e,sources:t,composer:n,tell:s}=this;return{sources:t,get config(){return e.config},ask:i=>this.ask(i),waitsFor:i=>e.waitsFor(i),takeBack:i=>{e.takeBack(i),n.draft||=i.query,n.focus()},edit:i=>{n.draft=i,n.focus()},rate:(i,a)=>{let{isHelpful:o,reasons:l,comment:u}=a;return s("feedback",{answer:i.answer.name,helpful:o,reasons:l,comment:u}),e.rate(i,a)},handover:(i,a)=>s("handover",{query:i,contact:a})}}welcoming(){return _n(this.texts,this.conversation.config,e=>this.ask(e))}head(){let e=c("button",{type:"button",textContent:this.texts.newSession});e.onclick=()=>this.conversation.startNew();let t=c(this.isWholePage?"h1":"h2",{textContent:this.texts.title});return c("header",{},t,this.list,e)}showConnection(){let{connectionState:e,closeCode:t}=this.conversation;this.connection.show(e,t),this.list.hidden=!this.conversation.sessions}showEarlier(){this.earlier.hidden=!this.conversation.hasEarlier}viewOf(e){let t=new Fe(e,this.texts,this.turnActions());return this.views.set(e.id,t),t}refresh(){this.composer.answering(this.conversation.isAnswering)}};var zi=100,Di="projects/colloquy/locations/global/collections/default_collection/dataStores/guide/servingConfigs/default_config",We=class extends HTMLElement{static observedAttributes=["endpoint","serving-config","form","heading","placeholder","lang"];conversation;panel;launcher;context={};ownTexts={};spoken=yt();constructor(){super(),this.attachShadow({mode:"open"}).adoptedStyleSheets=[et,Ge];let e=Object.getOwnPropertyDescriptor(this,"texts");e&&(Reflect.deleteProperty(this,"texts"),this.texts=e.value)}connectedCallback(){this.panel||this.build(),addEventListener("hashchange",this.takeLinked);for(let e of["resize","scroll"])visualViewport?.addEventListener(e,this.fit);this.takeLinked()}disconnectedCallback(){removeEventListener("hashchange",this.takeLinked);for(let e of["resize","scroll"])visualViewport?.removeEventListener(e,this.fit);setTimeout(()=>{this.isConnected||this.end()})}attributeChangedCallback(e,t,n){if(!this.panel||t===n)return;let s=this.written();(e==="endpoint"||e==="serving-config")&&this.end(),this.isConnected&&this.build(s)}get texts(){return this.ownTexts}set texts(e){this.ownTexts={...e},this.panel&&this.isConnected&&this.build()}open(){this.launcher?.open()}close(){this.launcher?.close()}ask(e){let t=e.trim();t&&(this.open(),this.panel?.ask(t))}setContext(e){this.context={...e},this.conversation&&(this.conversation.context=this.context)}takeLinked=()=>{let e=kt();!e||!this.panel||(this.panel.draft=e,this.open())};fit=()=>{let{node:e}=this.launcher??this.panel??{};if(!e||!visualViewport)return;let{scale:t,height:n,offsetTop:s}=visualViewport,i=t===1&&innerHeight-n>zi;e.style.setProperty("--_visible",i?`${n}px`:""),e.style.setProperty("--_top",i?`${s}px`:"")};newSession(){this.conversation?.startNew()}build({draft:e,isWriting:t}=this.written()){this.conversation??=new fe(this.place(),()=>this.tokenProvider),this.conversation.context=this.context,this.conversation.speak(this.languagesAsked()[0]??"en");let{code:n,direction:s,texts:i}=this.language(),a=this.launcher?.isOpen,o=this.getAttribute("form"),l=(d,f)=>this.tell(d,f);this.panel=new Ue(this.conversation,i,l,o==="page"),this.panel.draft=e,this.launcher=o==="launcher"?new be(i,this.panel.node):void 0;let{node:u}=this.launcher??this.panel;for(let d of[u,this.spoken])d.lang=n,d.dir=s;this.spoken.isConnected||this.shadowRoot?.append(this.spoken),this.spoken.previousElementSibling?.remove(),this.spoken.before(u),a&&this.launcher?.open(),t&&this.panel.write()}written(){return{draft:this.panel?.draft??"",isWriting:this.panel?.isWriting??!1}}place(){let e=new URL(this.getAttribute("endpoint")??"/v1/ws",import.meta.url);return e.protocol=e.protocol.replace(/^http/,"ws"),{socket:e.href,servingConfig:this.getAttribute("serving-config")??Di}}language(){let e=Gt(this.languagesAsked()),{texts:t}=e,n=this.getAttribute("heading")??t.title,s=this.getAttribute("placeholder")??t.placeholder;return{...e,texts:{...t,title:n,placeholder:s,...this.ownTexts}}}languagesAsked(){return[this.lang,document.documentElement.lang,...navigator.languages].filter(Boolean)}end(){this.conversation?.close(),this.conversation=this.panel=this.launcher=void 0,this.shadowRoot?.replaceChildren()}tell(e,t){e==="answer"&&this.launcher?.markUnread();let n=new CustomEvent(e,{detail:t});this.dispatchEvent(n)}};customElements.get("colloquy-chat")||customElements.define("colloquy-chat",We);for(let r of document.querySelectorAll('script[type="module"][data-form]')){if(r.src!==import.meta.url)continue;let e=document.createElement("colloquy-chat");for(let{name:t,value:n}of r.attributes)t.startsWith("data-")&&e.setAttribute(t.slice(5),n);document.body.append(e)}export{We as ColloquyChat};
/*! marked: (c) 2018-2026 MarkedJS, (c) 2011-2018 Christopher Jeffrey. MIT License */
