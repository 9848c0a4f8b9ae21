"""King and pawn against king: which positions are won, by a table of one bit each.

The pawn is White's and on the files a to d; other positions are turned and mirrored. A bit's number is, from
its highest digit to its lowest: the pawn (rank, then file), who is to move (0: the side with the pawn), the
king beside the pawn, the other king. The table is made by the tests.
"""

from __future__ import annotations

import base64
import zlib

import numpy as np

from gambito.native import uint64

from .board import ONE, ZERO, square_of

SEVEN, BACK = np.uint64(7), np.uint64(56)  # mirror the files; turn the ranks
# fmt: off
_TEXT = r"""
c-rlp!EWT{v4th*1?-gvh!Yy{3)rhWz;(jp&AOq*3}7ey3IXyWY{<FXCaY}O=E4SM5fYPuI3sFK{;K+ZHc7Rl(Rh)-
xDDKUptw&po2TmMe-
7C*j+MWLA+YZP+aCh!{|nsxDX{oWVEMbiGhPD)`mTfDtoR%FXYd0x22m7H7X|b~;{^m?f7*Bf{pQSx`W^T_6=<49?*}jyaBTdg_vuZJ8
!w>uXHGm~;tyRn!_Hm_6U%V$0;#SSNOhf<>Vn1_hJ+)Ss&s~S7{<5nVf@MpB)${vxB>_GGxX1&eGfm*^#4);$3#4$9j)=^2*1nc0e%I)
f}e2Q#A^UMumQgZzXLx%3;YH=>JOg+4F$fh*8DU0fr20kjQl-PV637*KF;whh!c*{FC%?){5$$*q@PEQXRLxaZoo0l^EgHyjrKn{4&Fb
Mt7gaJ#Bmb^#%Px=)Hlq3H}Kb=AH;D3cD%m}{ieSg_!a#8{W<9q#@q7yht=Pw`J1eJLfUtr{rW!Ir#%GLe~mHP{V~R{_;tuz{?^gX`>0
XMeUSKX^;U`B^tZhdziNg?iNC43s!RN{)LTvBpKYp*&;R&d>6JeG*0AsT8^c3$cw_k2s`_b2_{YuWZ|QjS>$9^z+X4NS`M({;(cX7!M{
n5my<>AYINIW7=*^ih9i;JZnSbMt@cn&5?*(p$!=ZJwcUfI4V0FDfsvGm4cwXQ(&Yz(dxE(q#aBK5l8{fw_@l7`4Z+!l5y;(*_D`02^4
6VSek8kbYW3$=$_prI2&{ZA-jc;gt!*mL6ng3hn|2A~b=&O}~bYR~sU$js4lKy#y&d<TzKQsNkZ=egh;5YCq_#36~emjQ#@9g}i@BSv8
KAXOuQs3Cw|6A%CTOIzK`esO^-
>36FF#p34`g8UZhW<XxgJCL=j%R3mQEG;ets0pBfdaI@p%>t4V)d+m9gi0nV%bjoDB$NU6>#)9a{c1-
QvoiE@%gF15Le9j{8WHdhSg?(*7pM^kjrwF*XJRxw;37lVRab?ALXOJ(BDqKz0|e`d#Sz(+<m*Zmx^D-
a$Wv!e2>H*Zv4E(+~+<>{MUM&=KpHn-lQ?ueY@TFdnLZlzw;}bpTvLX^WQQ5eawG*Xs->g_E)bAzuj*CZo>Y`=U+<v-
`k13>0<6DjPcdYp=}-aS67bP?biOoO^mOj^ZV2Q&Wi@R>7&3+-
+F<Y{_3iBOa%;m{u46)H+|;?63+|V#Q8Jy0yq7^3*7Yk?RIB;AKT!k`M+`5M{sbo0)|$=&<fn7gS7%TKDLD)zZJR(*_UX1--We-
=@dAoZ*ar>!}p7weKgp!0JQt)n?1PQM*n<@zF(hZ{<42&`g`B(<0bflU%}tla?y8p=RY-
I`zoEjK9T>P`ljFd{HtgF4L522e7)(77W#Ac6Ndi174ZM=<Ex(e@0tJJ3pmdU(Ef&Ap!WiXKL3dy1$yS+&zH|lEWeJafMY7q_kI%N^V9
e5ng5>o@BQqiufX^Q_I+U6_NdS^zkOb3GqUXh2au23wBWt`@n5V{UFem*wqqMF)%BIVw0jX)e0FIsmH%^YFB!kJb+T*vYd>!>_qh)e|4
03p=KsZIeVxXj`0V1cy_EC!=jp^I{tqTp*K~fp?+?s>8}naZ)&DenarxpOhM!$r{Kej%_<t~AuI)U_&}2+_i21*c@zwQJT{~XBc;R?)a
pCVzNALXB*ZG9DYd4Grx^APubz6IZ>-
NQqontCsxVHlEN5g{`NIWla9p}%`3tYEXUf{aDytpXfpC@#CF{Z!wdn;gQ1q`i#p%pN+0@rC7vI5tB{!3lQZaXlYg6oh!(D;VNH%zC%F
@1w;Q|J6VU*R+MVB5yv)|Xp<U4j=E{<-I0qA$GZdY}7eroZ>iWxNDm@HcJZ@2kD+EdJ2ko&VH;^*_?-
YZLh|sc+iE|3f<OE%V>DF<)&PeUR3j9=gldwxNG(1^mB<?k)4*`a);?=!2F5w7;PjXuW`8=-x8_{`u+qJEj7D-
u(LM`UR!}ZR;m7K0kf`micdE8(p=yrk3#yOrN?5{Q}chI1Am{yw0+of(_WWc^O6q5dPW3AJ_iB&-
&y4YyA5T|6kz$OEw<tJSP87fY7$hijV&<@c-r6B0re?KLLU@gd=?I@c#w-
{u0zU?bHJC&2*%M{}=vWT=ypo!+k{jzwbZ|yAW1Q_<wQTpO6i(@c+X9YY6|J7B=_)YQp~u-#_7O=Q-
^_{d14s!;cgHFMR)m`2GdL@A7$oU%{{7pYZ?rI?;kPxC0A(e+iEG{p|mH{%-
NRb+zW7!9QE%2igBmc>sP}_<z9{`~C?<zp&F5hTY_gJc<6{c!d8K^Dq3r@c+J%F=S(;yuclg!-*3P(*`K|C;!cUO01{iJP6-
EVctOD!lu9125NKU`vx*2ejglGf1l=W;D`U`lLON(*3p;4^s4K?<NTw4iT)VC{OU1)EdfHBfB4h<!zceCK$!aAPJmDmAZ!Q_&M**X9w6
w^0HGp4*bpF`VIcDS-xnafB|zv15E=r63InlW{_+1a2O1j){C~{9n1ADk|BnW$tbe0`YvA)61@QmE|4;Le?h|_2GX@&p(D;V-
4c7CI{@}RY|AQ?570Yimn_qvGNB_U-ANcg&V|<p)VXps!{h!~L@v#7*BS2^(Kydkzftcq1z5v1J-
%n=*2!8g{@odmNF5f=CL&(<+dHHquxctQYcg%mISn=SWZPcJ&gMJPAedza(-
P;HbU=KdZA8CNpwfMilw2Ni__gugCtNFiA|9G_+z?uMIx7+%DayI|yzYGwjKDZMgYzYvK^KSuyJ~%+w5+Kax|MxZ*ZyyN|UK1c32oTou
kN+3`f961A2a5mKVIKj)H2={Da@l=;qkwDR^BV=4CJLloss{*p?sNaU?86d`Z)ki&`v&;`Y5viV>(j8_|ATk0|Eu}$a{qLz{)v962@vj
`|5bo6*MAWp+}Hmf8X%mU|9t&@AV4@AB0#ur{(YC&EtX&8YrKH@8}pg>&A*SSuP>org?<(K;s5Xb{^1`wZ~%L-
1^4&Qf5ZO0VgDY+uf+f+=i#{9g#j#zz_JV<nD2881PDC_ko>^BuN%M}0YXt+xDm{Jjm^mbVd{fB0m20V!Z`s#^TYt*f&k&10O3G@@cNM
e;YR|5D*}Wq0m32HdEx(s|DQR~2oUi9y1I-
2!T5IkZcozu@Apw4oqI3f8nljHV84$7$wqpB!1;4ugTL9^H}JHl4>Z1^@eS=8B;48oxQ#p?*_RGrzi0mr*5K|u^eE0(^PltOCihQ+|I7
Uo{jwuKDB`fs%f<EUZh$b?e-
R+SpZeJC`x62Lv+oul<oVC@bvQg6AY5HVfUrgPJpaU`b{yUZ={p}nzCH5oy};h=|0S}Y@2C0S;7d2?xIw=S`fbq9&;o?8|L4m&-
sJVD0ei3oYw!}@`EmZm{EGEktl#4LFZS<&MG;t*;?Bjmx^t1&{}z4?e+R#SUxwb?`oO-M{(d15d|@Dz41{CaKsc7=7lu=xO#Z*eH^X-
W(S(6;EaLv3$}hf%!5zc*3;!?tv+)1I|0~vi9~{Rotbigo7-
l$z|BnCx1JPh09OL@0#tMi4K?DdQKo9}K+(0zG|CfJh$5ddkbDc1M59hQ0H-
z87PX&H{{_~;y)A^6MK|b9mBR>)wkjL_$x&Dy@<U9cX&w$>a|A>AO{WJ16H}D7$9>{;_myte-jSOX*`ElHn|Kz+W=RY~WSr~|i^Pimeb
hG?tmVZ?b<UfzkKl%y%gnmN*FaQGvpeH~$G5_!j_$B(2n;joO=;Hx|2oUD;ANm*QU*`PJ1B7EAJRBhS{8vrFGVA}O0AV)&=>N0;AsYy=
(h~y&(Ks{2fC>W|0fGn+X7i8!LVuzEWAn@PpAG!o{Aa!Y@93X9^AG=S{*&`FZa_!h5+Kay-
``Jws50k&(LW3QPxe22g2N+zSb&fX#BuJ)|2{B4$Oht=`;h;AV1SSf#L4`p=|*q>`}@EDD*qulz<E?Sk19Kl+5DrQ&`&x4>$v{+T>pEn
|2^}+4}Js)1r1cvKqvIi4<NMh073)^B0vxgBpOJo0O8mN4+jV$K-
5PD2($VBr~p9(2>QqXK{SvE5JZ3=0t68thyXzZ2%>Q^j^ir7&o_>_0dSmu_Wv08WB#-DkIm}-
&wBk>^10l4?#}+NXaBd4>wg3Y^Z9pP=1<qV=%0oD);9zQi}_#VCr=9yM1XLd|EC2A$N6Xf|HJ@++-
RBqR80pCU=Oy;|GnQo%|H4J{e}KQf1%$r|L7<9(EtMt&=VlE7{HnUVMl;a5FnHU0Kz|r06_!@vj-
6BcmN>+1Q8%8^X~}|j(zZOfS{ilAn0cX2>O`;f(Q^qfFJ?{5g>>FK?DdQKo9}KIOgYf^YeSF8^?9v{qtYZKNbD6r+@bJ&z}A{hkw4B|E
gNtuVVob{UZVd5g>>F;W+>K`j)SE(LW3Qt#1erj=4$x?-
3yAi2(xhe|DU&rv(Vd`OnAyv;g6F{2P2p1PCHP09!EfpUw7C1PHVFU)(w7&QoWf9QW@6)BHQ8`FBk7uZ~Ao+5f}u;kWQ>_&fLo{L)clJ
TX1L{<HsY+5gv$seofD;Ft<bzAO7Dp5%)EJzaqu(+<=zU4a~n;uFWR{AzK%n0zyQYY4~M@Bg@ga4bIg#IgM9s~C8EyVw8<|1bQ%V*lp~
IDV1}7=D!sh~Qw3V|>2CkH!wvG4`wKQUS+QVE*~G6BYr22oU0U;CJvl_^H5uLH?81|D69dPsxAmY&AUp!Tj_0hvh#D{mEO%1K>ZJ|ESA
)#d#n3o8x&r|Ka^P|Dlg($MH!1lRqyT5dP*oJeL2&7iH(su=8l*&Xeme^cVUI{e}MU2lzew7JdzX2fu(H4I}~t5g>>Ffd{fo{~G;w=wG
0JiT<3ooS)<;IwL^v`EQv2(7!<cGUtC5Ak6x}0|dVwH;y*{L(IR=bAkS4)_?TvyB~oF5JZ3==6{&aKl%&(9|{oK`TV25&|l~;4Cu7}4B
`JhKo9|fXdux*qJf^^|L)6wR?mOsCs$keHT-+?pY{Gf=fC8CHU9sB{AacP-
<f}(za9BsLGE+Rf5t_AAo}N2{_F40zAvL9zM1LI=@0*}j`cs!f6jf5`OgCZ!fgJld-
I=e7{P(%sGrY&RXvpd#14cz#}#*uEAAYd{z8ADztCUk4}XB)!*Ai&@OSVF_|ZTjKo9|f2oOYoAOZvtAczJM4RlKXFklfNhyXzzAQ(mii
3W<x<y)5TxAS$t0|ejy?;UsB?V%R|qG%w31I-
crEkF<ff(Q`$`TV251qkCK0YaSv1kpHi#CUpuz~}cOKo9|f2oOZ$Wc&#Kx6Xgy5AgfdldCoS9sE1_PecB{-
v9IbXYd98ME;ZWdhVCdKLiLOKu`n-G5^jhbN<&&*U#mCkpA%v`C&Q#&dbOz5bn&s@PGUQ;m-
V%|4pC&V1O{2|IMBJr<vBP$bTC0pSXT_fFJ^dyZKKz1N&t37y1kRh5kZ+p})`{{s6y+-
@>oq@8B2kqk%+#AOZvtAcz1#1PCHP5CMYCzxzSoK$<=gAcz3r_yl(Z2qHj`2MC5`c^>mLa-LHEybk#eujlK42MF>2!LhiwxU%<`=jYo!
`~0|0$9CTWgt`6}Acz1#1PJ~g@c$kFC<27xkpN+r0|XHO%=vBje-9A&{8j`AB0vxULaayT|Aqe-
{$Kci;s1sI7ykWD{*!<I4Znxq!mr`);1}@A{QO_V?|%ac5JZ3=0t68thyX#EPk<l-1hIgK06_!@B0x|C2wN%h1z+)dNdknW{=R-
D_w8u(tuW9cKnTAWeXyE;)tvtD|Kf)u)BNYpKcM4-
0Rpm}&pto%_v}+VKo9|f2oOYoFw2c5|3ANT%#SArXD0MdPH6LQX!CDq^B+5x<&P(Oemv=i?))154t@c@j0JP_A5RX`|MmXk$-
z&ap%pN+0)|$=&<gO}{hj^4V=Ca73OJ?$j;VlSDzLoop3g#Fhtn0vG3`Jdce|I4Me)qBET1p-jea`fdfYj-vH!CjsN?SCOUL5bGsp7z^
SEH(+ouZ%ep1Y}*#GP0%a@MNo;`DX{`~oZ{~jFS5AX;01N;I0@cj8NA^(}@|4+?-=6)UD{iOV7rT<6eKa<`cng4LyQ~pB^q3*--
pM`VCcaDAj(O>8<^cVUI{pYtX^P}r64OG)WI~u5<fl3-kG>~W@(LkbsL<5Ni5)C98=)w8#nE#IXNB;u-%bdH6e&cW80RSs-
8|$#+asJW2K>zZq>Ab(6_d)8wcLWHxi}^?Y0{zRZ{|5vJqJcyMi3Sn@0vP;T_-
~ni^cVUI{e}Mj>HKH){8zsJ_rdwkz4Pz$=K<m)`OoR~zhV79&cDC^ZvHclw=4bMF#p49{+m<z&xrux<ow^C{|u}AXF31P!}(7f=*l^8=
h*cZ`V0Mq{z8AD|NPb^kFLA^LVuyZ&|l~;^cVUI{e}KQf1$t7UpfEF|6)V_<#zV}j;Vm}r&0mOXdux*p}*hovjR8xubbF^Ii~%e<8HV0
v*QgU8i>68hV#DYgS3Ef195*tfZ%gkpnsY5e?ovD8b~yd2oOYoAOZvtAcz1#1PG#mL<9Xd<Ufml|A_!m1c)L)6anI?{AZQ_=lriF|EtO
WEI@2d<v(5iCqp`XcfS7``|#R-
(7Tv_=S}&~%>Tbz>fic<Bl!RM{8w}ASJ(ej0m6L#*ZEJr|6mK(GXDwvEkF<f!ioIH570k(&o`Yp2ksp2eg6ITJApp`34Q*ZKfqt!y5!O
Iz0be%3;3m@&%dD+*!w?}&<p=B{J-%3isyd{M=RjxB^5YeHuAsNkbk+I{l8-
>aAlYZIHm$|UQ+|%b~?Y|Zw0RLU)N#Z9Cy1Hjzw|d?=Q>qIIknVZ|It9&il>057GkiPXdH%0tA15iT|JW`A-
NCM1a6PA^5N1U&FtKe+~af_*d}v?*ISe`49eo!2kF7{}%sW<NtT$e+BtpnV<g)|LyC?o`3OUFY)|<1qhC5`QBPyQxxZp5g^I~1lMuks+
V)O?7x$Ij=N;v4U72QM+Asm-xoQMJwUM3zxD@5@c&cpga6l_>wBB~;DG=E*<ANcUI*YG=mT50mibTUZvjHieMEp5JCEtk@fe>xj=>zq_
~dc)`A_KcpU~&u#Pb5vqw8ZFy7621HT)g?0)FWjdml0YLoblf3ncUc3B5o<FObj+1a}l6grgNOv;u}!z|aa9S^+~Vz`;+?-
;VJdUhkL+IHm%QseofD;Ft>Jvp3y;8(D|L|F_K;@_p~P+kNL)6rVem<u~KJPiFi7nB$gysK5W-
arfPKj>YGnJC@&kBZy0cFZhBl_=2x*zWM+B=jY`=C-r|q{&Q0Qr{+JoU-WVL&xt$7p}){y=r8ma`rrTPdgw3o7y1kRh5kZ+p}o*w=r8m
a`V0Mq{z8ADztCUkFZ37s3;l)uLjTbp0JiV&4*&ly=HJm9NHmaWAkjeRpP&DE$MQX}4!;u(BpOIGkZ2(M-
?9(ze`){!gJ>YpK%#*}1Bn1(Isfp}#y~WXXdux*qJe%9`Oo_PFaEzJ|EtOW?#+Kz`5*gn4-
iFw_(=ZqZt(+>oc|o>zk4|U8ON3W{mJ>iFaHtw!BPKyG5?R`KM&kF?qmM@KIXsgWB&U-
=HITA4?eoy$NU?A2fu({#&M2u%@%97@bEGJ3B5o<FObj+B=iEYR~W@bNBDo?|Aqe-
{$KciM=QW)W$fQ@^?SpYc!U3c6Z7ww3gG_>$5bHimWDUz-
{<`w`>&q;{~Hk?#QcBS$NYcYGrs>qzD1sF3kduFzls1M=Ks@AWB$MX8r{1kqQBtlDtw0E3%<Vo`WKP^EdKqc<Nf~@|6j-
Re;y#7%zqZY{}X({j{s2wh$r)(<MV(2TKs^djUSNJ`2QXL|4#lh^ZzUTWB-r;pXPs^|E#b7NBx7}!zce+=RfwoVR-
P)aU1jBwlV*08}n~F<PrXZkFK{d|Hd!imvMY!?A67dO=Ne%!^iw5^a2UJKteAN9$^%lP2vBA{}=vW_<!O5h5r{OWz4%>&uh&8zv4^0!v
DXD`FBhO@c(6YN%;Svdxie(JpZu*G5;@Ki2xzy|I5&4%=@(NC*(UU`XDVJG5;^V6#+ub|Ce7b_xT;z9~SxxzFu6403q<pFMkpFk7Fvpz
tq{||MUI-8vnm@Oa&Zg`49eo2!t>Af*-
#?bNTT9Q~rbhA142Qc(wQeNgY2R+u{EU{Qs2y<m>y)|F86q{09F&<vtnr@UvfB&%fZe@b{T_e*SM7&?Sx
"""
# fmt: on
WINS = np.frombuffer(zlib.decompress(base64.b85decode("".join(_TEXT.split()))), np.uint64).copy()


def is_pawn_won(state, strong, weak):
    """Does the side with the pawn win, if nothing else is on the board?"""
    pawn = square_of(strong & state.pawns)
    king, other = square_of(strong & state.kings), square_of(weak & state.kings)
    is_mover = strong == state.own
    turn = ZERO if is_mover == (state.side == ZERO) else BACK
    if pawn & uint64(4):
        turn ^= SEVEN
    pawn, king, other = pawn ^ turn, king ^ turn, other ^ turn
    number = ((pawn >> uint64(3)) - ONE) * uint64(4) + (pawn & uint64(3))
    number = number * uint64(2) + (ZERO if is_mover else ONE)
    number = (number * uint64(64) + king) * uint64(64) + other
    return (WINS[number >> uint64(6)] >> (number & uint64(63))) & ONE != ZERO
